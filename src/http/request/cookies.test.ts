import type { FastifyReply } from "fastify";
import { expect, test } from "vitest";
import { defaultLimits } from "#shop/settings.ts";
import { setCookie, type CookieName } from "./cookies.ts";

function maxAgeOf(name: CookieName, limits = defaultLimits): number {
  let line = "";
  const reply = {
    getHeader: () => undefined,
    removeHeader: () => undefined,
    header: (_: string, [value]: string[]) => (line = value ?? ""),
  } as unknown as FastifyReply;
  setCookie(reply, name, "value", { isSecure: false, limits });
  return Number(/Max-Age=(\d+)/.exec(line)?.[1]);
}

test("the cookies of a session and a code live as long as the server accepts them", () => {
  expect(maxAgeOf("sid")).toBe(180 * 86_400);
  expect(maxAgeOf("sid", { ...defaultLimits, sessionAbsoluteDays: 7 })).toBe(7 * 86_400);
  expect(maxAgeOf("otp")).toBe(300);
  expect(maxAgeOf("otp", { ...defaultLimits, codeLifeSeconds: 900 })).toBe(900);
  expect(maxAgeOf("uid")).toBe(365 * 86_400);
});
