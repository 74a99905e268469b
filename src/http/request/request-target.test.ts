import { expect, test } from "vitest";
import { isPathTarget, normalAddress } from "./request-target.ts";

test("a target that names a host, or that a browser would read as one, is refused", () => {
  expect(["/", "/catalog", "/a//b", "/?q=//evil.example", "/catalog?from=http://evil.example/"].map(isPathTarget)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  for (const target of [
    "http://evil.example/cart/",
    "HTTPS://evil.example",
    "//evil.example/",
    "/\\evil.example/",
    "*",
    "",
    "cart",
    "evil.example:443",
  ])
    expect([target, isPathTarget(target)]).toEqual([target, false]);
});

test("all spellings of one address are normalised to one, with the query unchanged", () => {
  expect(normalAddress("/%63atalog")).toBe("/catalog");
  expect(normalAddress("/%63%61talog/gol%64?sort=%70rice&q=a%20b")).toBe("/catalog/gold?sort=%70rice&q=a%20b");
  expect(normalAddress("/%d0%bc")).toBe("/%D0%BC");
  expect(normalAddress("/x/../catalog")).toBe("/catalog");
  expect(normalAddress("/x/%2e%2E/catalog")).toBe("/catalog");
});

test("a normalised address is unchanged, as is an encoded reserved character", () => {
  for (const address of ["/", "/catalog", "/catalog?x=%63", "/a%2Fb", "/%D0%BC", "/yml.xml", "/a%20b", "/.data", "/%E0%A4%A"])
    expect([address, normalAddress(address)]).toEqual([address, null]);
});

test("no spelling redirects to another host", () => {
  for (const address of [
    "/.//evil.example",
    "/%2e//evil.example/",
    "/x/..//evil.example",
    "/%2E%2E//evil.example",
    "/./\\evil.example",
    "/.%5Cevil.example",
  ]) {
    const normal = normalAddress(address) ?? address;
    expect([address, new URL(normal, "https://shop.example").origin]).toEqual([address, "https://shop.example"]);
  }
});
