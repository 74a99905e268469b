import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** SHA-256 in hex: the stored form of tokens that have at least 128 random bits. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** HMAC-SHA-256 in hex; `purpose` keeps the signatures of different uses apart. */
const hmac = (key: string, purpose: string, text: string): string => createHmac("sha256", key).update(`${purpose}\0${text}`).digest("hex");

/** Compares in constant time; texts of different lengths are unequal. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Signatures by purpose, so that the key of one purpose can be changed separately. `length` of the signature is in hex digits. */
export type Secrets<Purpose extends string> = {
  sign(purpose: Purpose, text: string, length?: number): string;
  /** Whether the signature was made with the purpose's current key, or with an earlier one that is still accepted. */
  isSigned(purpose: Purpose, text: string, signature: string, length?: number): boolean;
};

/** `keys`: newest first, at least one. The first signs, all are accepted. A purpose without separate keys uses `common`. */
export type SecretKeys<Purpose extends string> = { common: readonly string[]; own: Partial<Record<Purpose, readonly string[]>> };

const wholeLength = 64;

export function createSecrets<Purpose extends string>({ common, own }: SecretKeys<Purpose>): Secrets<Purpose> {
  const keysOf = (purpose: Purpose): readonly string[] => own[purpose] ?? common;
  const signWith = (key: string, purpose: Purpose, text: string, length: number): string => hmac(key, purpose, text).slice(0, length);
  return {
    sign(purpose, text, length = wholeLength) {
      const [key] = keysOf(purpose);
      if (key === undefined) throw new RangeError(`no key for ${purpose}`);
      return signWith(key, purpose, text, length);
    },
    isSigned: (purpose, text, signature, length = wholeLength) =>
      keysOf(purpose).some((key) => sameSecret(signWith(key, purpose, text, length), signature)),
  };
}
