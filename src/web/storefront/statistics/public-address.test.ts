import { expect, test } from "vitest";
import { isPrivateAddress, isPrivateReferrer, publicAddress } from "./public-address.ts";

const at = (address: string) => new URL(address, "https://shop.example");

test("an address that opens an order, an alert or a subscription without a session is private", () => {
  const secret = [
    "/thanks?order=o1&key=k1",
    "/payment-error?order=o1&key=k1",
    "/order/o1?key=k1",
    "/order/o1",
    "/order/o1/invoice.pdf?key=k1",
    "/cabinet/create?order=o1&key=k1",
    "/alerts/12.abc",
    "/newsletter/12.abc",
    "/search?q=50&token=t",
    "/thanks?%6Bey=k1",
  ];
  for (const address of secret) expect([address, isPrivateAddress(at(address))]).toEqual([address, true]);
  for (const address of ["/", "/catalog/gold", "/thanks?order=o1", "/alerts", "/my/orders/o1", "/orders", "/search?q=key"])
    expect([address, isPrivateAddress(at(address))]).toEqual([address, false]);
});

test("a page that was opened from a private one hides its referrer from the counter", () => {
  expect(isPrivateReferrer("https://shop.example/order/o1?key=k1", "https://shop.example")).toBe(true);
  for (const referrer of ["", "nonsense", "https://shop.example/catalog", "https://yandex.ru/order/o1?key=k1"])
    expect(isPrivateReferrer(referrer, "https://shop.example")).toBe(false);
});

test("the counter gets an address without its query and without an order's id, except what the page declares", () => {
  const reported = (address: string, rules = {}) => publicAddress("https://shop.example", at(address), rules);
  const search = { countedParameter: "q" };
  expect(reported("/catalog/gold?utm_source=letter&sort=price")).toBe("https://shop.example/catalog/gold");
  expect(reported("/search?q=георгий&page=2", search)).toBe(`https://shop.example/search?q=${encodeURIComponent("георгий")}`);
  expect(reported("/search", search)).toBe("https://shop.example/search");
  expect(reported("/my/orders/o1?x=1", { countedPath: "/my/orders" })).toBe("https://shop.example/my/orders");
});
