import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

export type PasswordCost = { logN: number; r: number; p: number };

/**
 * Cost of new hashes: 32 MB and about 200 ms on a thread of its own. Source: OWASP, "Password Storage Cheat Sheet", 2025 (scrypt N=2^15,
 * r=8, p=3 or more). Tests hash cheaply (`testShop`).
 */
export const passwordCost: PasswordCost = { logN: 15, r: 8, p: 3 };
const keyBytes = 32;

/** `scrypt$15$8$3$salt$hash`: the cost is stored with each hash, so that it can be raised later. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16);
  const { logN, r, p } = cost;
  const hash = await derive(password, salt, cost);
  return ["scrypt", logN, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Null is the hash of no account: it takes as long and never fits, so that time does not show which accounts exist. */
export async function isPassword(password: string, stored: string | null, cost: PasswordCost): Promise<boolean> {
  const [, logN, r, p, salt = "", hash = ""] = (stored ?? "").split("$");
  const given = await derive(password, Buffer.from(salt, "base64url"), stored ? { logN: Number(logN), r: Number(r), p: Number(p) } : cost);
  const expected = Buffer.from(hash, "base64url");
  return stored !== null && expected.length === given.length && timingSafeEqual(expected, given);
}

const derive = (password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, { N: 2 ** logN, r, p, maxmem: 64 * 1024 ** 2 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
