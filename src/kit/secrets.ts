import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** SHA-256 in hex: how tokens that already carry 128 random bits are kept in the database. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** HMAC-SHA-256 in hex; `purpose` keeps the signatures of different uses apart. */
const hmac = (key: string, purpose: string, text: string): string => createHmac("sha256", key).update(`${purpose}\0${text}`).digest("hex");

/** Compares in constant time; different lengths are simply unequal. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Signatures by purpose, so that the key of one purpose can be changed while the others stay. `length`: of the signature, in hex digits. */
export type Secrets<Purpose extends string> = {
  sign(purpose: Purpose, text: string, length?: number): string;
  /** Whether the signature is of the purpose's key, or of one of those before it that are still accepted. */
  isSigned(purpose: Purpose, text: string, signature: string, length?: number): boolean;
};

/** `keys`: newest first, one at least. The first one signs, all are accepted. A purpose without keys of its own uses `common`. */
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
