import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** SHA-256 in hex: how tokens that already carry 128 random bits are kept in the database. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** HMAC-SHA-256 in hex under the shop's secret; `purpose` keeps the keys of different uses apart. */
export const hmac = (secret: string, purpose: string, text: string): string =>
  createHmac("sha256", secret).update(`${purpose}\0${text}`).digest("hex");

/** Compares in constant time; different lengths are simply unequal. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
