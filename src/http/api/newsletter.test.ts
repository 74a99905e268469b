import { afterAll, beforeAll, expect, test } from "vitest";
import { hours } from "#kit/time.ts";
import { subscribersCsv } from "#shop/newsletter/newsletter.ts";
import * as newsletter from "#shop/newsletter/service.ts";
import { host, openHttpBench, placeOrder, type HttpBench } from "../testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench();
});
afterAll(() => bench.close());

/** Mail programs post from anywhere, without cookies and with a form body. */
const oneClick = (path: string) =>
  bench.app.inject({
    method: "POST",
    url: path,
    headers: { host, "content-type": "application/x-www-form-urlencoded" },
    payload: "List-Unsubscribe=One-Click",
  });
const pathOf = (link: string) => new URL(link).pathname;
const subscriberList = async () => (await newsletter.subscribers(bench.ctx)).map(({ email, name }) => [email, name]);

test("subscribers are listed once with their own link, and one click on it ends the newsletter to that mailbox", async () => {
  const [guest, member, silent] = [bench.visitor(), bench.visitor(), bench.visitor()];
  expect((await placeOrder(guest, undefined, "n-1", { newsletter: true })).statusCode).toBe(201); // the mailbox ivan@example.ru
  bench.clock.advance(hours(1));
  await member.signIn(bench, "+79160004401");
  await member.request("PATCH", "/api/me", { name: "Ольга", last_name: "Ли", email: "Olga@example.ru", newsletter: true });
  await silent.signIn(bench, "+79160004402");
  await silent.request("PATCH", "/api/me", { name: "Пётр", email: "petr@example.ru" });
  const second = bench.visitor();
  await second.signIn(bench, "+79160004403"); // the guest now has an account
  await second.request("PATCH", "/api/me", { name: "Иван", last_name: "Иванов", email: "IVAN@example.ru", newsletter: true });

  expect(await subscriberList()).toEqual([
    ["ivan@example.ru", "Иванов Иван"],
    ["olga@example.ru", "Ли Ольга"],
  ]);
  const [ivan, olga] = await newsletter.subscribers(bench.ctx);
  expect(ivan).toMatchObject({
    since: new Date("2026-11-20T09:00:00Z"),
    textVersion: "newsletter-2026-11",
    unsubscribe: expect.stringMatching(/^http:\/\/localhost:3000\/newsletter\/\d+\.[0-9a-f]{32}$/),
  });

  for (const _ of ["once", "twice"]) expect((await oneClick(pathOf(ivan?.unsubscribe ?? ""))).json()).toEqual({ data: true });
  expect(await subscriberList()).toEqual([["olga@example.ru", "Ли Ольга"]]);
  expect((await second.request("GET", "/api/me")).json<{ data: object }>().data).not.toHaveProperty("newsletter");
  expect((await member.request("GET", "/api/me")).json()).toMatchObject({ data: { newsletter: true } });

  const fromPage = await bench.app.inject({
    method: "POST",
    url: pathOf(olga?.unsubscribe ?? ""),
    headers: { host, accept: "text/html,*/*", "content-type": "application/x-www-form-urlencoded" },
    payload: "",
  });
  expect([fromPage.statusCode, fromPage.headers.location]).toEqual([303, pathOf(olga?.unsubscribe ?? "")]);
  expect(await subscriberList()).toEqual([]);
});

test("a forged link changes nothing", async () => {
  const member = bench.visitor();
  await member.signIn(bench, "+79160004404");
  await member.request("PATCH", "/api/me", { name: "Анна", email: "anna@example.ru", newsletter: true });
  const [anna] = await newsletter.subscribers(bench.ctx);
  const token =
    pathOf(anna?.unsubscribe ?? "")
      .split("/")
      .at(-1) ?? "";
  const [id = "", key = ""] = token.split(".");
  for (const forged of [id, `${id}.`, `${Number(id) + 1}.${key}`, `0${token}`, `${token}0`, `-1.${key}`, "x".repeat(90)]) {
    expect([forged, (await oneClick(`/newsletter/${forged}`)).statusCode, (await newsletter.read(bench.ctx, forged)).ok]).toEqual([
      forged,
      404,
      false,
    ]);
  }
  expect(await newsletter.read(bench.ctx, token)).toEqual({ ok: true, value: { isSubscribed: true } });
  expect(await subscriberList()).toHaveLength(1);
});

test("spreadsheets do not read cells of the list as formulas", () => {
  const row = {
    email: "a@b.ru",
    name: '=HYPERLINK("x"),1',
    since: "2026-11-20T12:00:00+03:00",
    textVersion: "newsletter-2026-11",
    unsubscribe: "https://shop.example/newsletter/1.a",
  };
  expect(subscribersCsv([row])).toBe(
    "email,name,since,text_version,unsubscribe\r\n" +
      'a@b.ru,"\'=HYPERLINK(""x""),1",2026-11-20T12:00:00+03:00,newsletter-2026-11,https://shop.example/newsletter/1.a\r\n',
  );
});
