import { expect, test } from "vitest";
import { defaultLimits } from "#shop/settings.ts";
import { createRateLimiter } from "../guards/rate-limit.ts";
import { bodyHash } from "../request/body-hash.ts";
import { readCookies } from "../request/cookies.ts";
import { maskEmail, maskPhone } from "#kit/text/mask.ts";
import { maxQueryLength, maxParameters, parseQuery } from "../request/query.ts";

test("a query is decoded and cleaned; a repeated parameter is a list", () => {
  expect({ ...parseQuery("q=%D0%B7%D0%BE%D0%BB%D0%BE%D1%82%D0%BE+7%2C78&metal=gold&metal=silver&empty") }).toEqual({
    q: "золото 7,78",
    metal: "gold,silver",
    empty: "",
  });
});

test("a query that is too long, nested, has too many parameters or is malformed is refused", () => {
  expect(parseQuery(`q=${"a".repeat(maxQueryLength)}`)).toBeNull();
  expect(parseQuery("a=1&".repeat(maxParameters + 1))).toBeNull();
  for (const raw of ["a[b]=1", "a%5B%5D=1", "q=%zz", "q=%ff", "%E0%A4=1"]) expect(parseQuery(raw)).toBeNull();
  expect(Object.getPrototypeOf(parseQuery("__proto__=1"))).toBeNull();
});

test("two cookies of one name are both ignored", () => {
  const cookies = readCookies("uid=one; sid=a; other=x; uid=two", false);
  expect([cookies.get("uid"), cookies.isDuplicate("uid"), cookies.get("sid"), cookies.isDuplicate("sid")]).toEqual([
    null,
    true,
    "a",
    false,
  ]);
});

test("under HTTPS only the prefixed cookie gives access", () => {
  const cookies = readCookies("sid=planted; __Host-sid=real; city=0000073738", true);
  expect([cookies.get("sid"), cookies.get("city")]).toEqual(["real", "0000073738"]);
});

test("a rate limit refills evenly, and a refusal says when", async () => {
  let now = 0;
  const rateLimiter = createRateLimiter({ ...defaultLimits, quotesPerMinute: 6 }, () => new Date(now));
  for (let i = 0; i < 6; i += 1) expect(await rateLimiter.take("quote", { visitor: "a", address: "1.1.1.1" })).toBe(0);
  expect(await rateLimiter.take("quote", { visitor: "a", address: "1.1.1.1" })).toBe(10);
  expect(await rateLimiter.take("quote", { visitor: "b", address: "1.1.1.1" })).toBe(0);
  now += 10_000;
  expect(await rateLimiter.take("quote", { visitor: "a", address: "1.1.1.1" })).toBe(0);
  expect(await rateLimiter.take("quote", { visitor: "a", address: "1.1.1.1" })).toBe(10);
});

test("a flood of clients does not grow the memory without limit", async () => {
  const rateLimiter = createRateLimiter(defaultLimits, () => new Date(0));
  for (let i = 0; i < 120_000; i += 1) rateLimiter.tryTake("request", { visitor: String(i), address: String(i) });
  expect(rateLimiter.size()).toBeLessThanOrEqual(50_000);
});

test("a flood of fresh clients does not make the shop forget a client that has used up its limit", async () => {
  const rateLimiter = createRateLimiter({ ...defaultLimits, quotesPerMinute: 2 }, () => new Date(0));
  const busy = { visitor: "busy", address: "1.1.1.1" };
  expect([await rateLimiter.take("quote", busy), await rateLimiter.take("quote", busy)]).toEqual([0, 0]);
  for (let i = 0; i < 120_000; i += 1) rateLimiter.tryTake("request", { visitor: String(i), address: String(i) });
  expect(await rateLimiter.take("quote", busy)).toBe(30);
});

test("a clock that was set back an hour closes no limit for longer than a minute", async () => {
  let now = 3_600_000;
  const rateLimiter = createRateLimiter({ ...defaultLimits, quotesPerMinute: 1 }, () => new Date(now));
  const who = { visitor: "a", address: "1.1.1.1" };
  expect(await rateLimiter.take("quote", who)).toBe(0);
  now = 0;
  expect(await rateLimiter.take("quote", who)).toBe(60);
});

test("equal bodies have equal hashes whatever the order of their keys", () => {
  expect(bodyHash({ a: 1, b: { c: [1, 2], d: undefined } })).toBe(bodyHash({ b: { c: [1, 2] }, a: 1 }));
  expect(bodyHash({ a: [1, 2] })).not.toBe(bodyHash({ a: [2, 1] }));
  expect(bodyHash({ a: "1" })).not.toBe(bodyHash({ a: 1 }));
});

test("the holder of an order's link sees masked phone and e-mail", () => {
  expect(maskPhone("+79161234567")).toBe("+7 ••• •••-45-67");
  expect(maskEmail("ivanov@mail.ru")).toBe("i•••@mail.ru");
  expect(maskEmail("")).toBe("•••");
});
