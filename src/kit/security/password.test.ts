import { expect, test } from "vitest";
import { hashPassword, isPassword, passwordCost } from "./password.ts";

const cheap = { logN: 4, r: 8, p: 1 };

test("a new hash has the production cost, and only its own password fits", async () => {
  const hash = await hashPassword("a long password", passwordCost);
  expect(hash).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword("a long password", hash, cheap)).toBe(true);
  expect(await isPassword("a long passworD", hash, cheap)).toBe(false);
});

test("a hash is checked at its own cost, whatever new hashes cost", async () => {
  const hash = await hashPassword("a long password", cheap);
  expect(await isPassword("a long password", hash, { ...cheap, logN: 5 })).toBe(true);
  expect(await hashPassword("a long password", cheap)).not.toBe(hash);
});

test("the hash of no account fits no password", async () => {
  expect(await isPassword("", null, cheap)).toBe(false);
});
