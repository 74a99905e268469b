import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** SHA-256 in hex: the stored form of tokens that have at least 128 random bits. */
export const sha256 = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

/** HMAC-SHA-256 in hex; `purpose` keeps the signatures of different uses apart. */
const hmac = (key: string, purpose: string, text: string): string => createHmac("sha256", key).update(`${purpose}\0${text}`).digest("hex");

/** Compares in constant time; texts of different lengths are unequal. */
export function isSameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Signatures and encryption by purpose, so that the key of one purpose can be changed separately. `length` of the signature is in hex
 * digits.
 */
export type Secrets<Purpose extends string> = {
  sign(purpose: Purpose, text: string, length?: number): string;
  /** Whether the signature was made with the purpose's current key, or with an earlier one that is still accepted. */
  isSigned(purpose: Purpose, text: string, signature: string, length?: number): boolean;
  /** Encrypts and authenticates text with the purpose's current key (AES-256-GCM); equal texts have different results. */
  seal(purpose: Purpose, text: string): string;
  /** What `seal` was given; null when the text was changed, or sealed for another purpose or with a key that is not accepted. */
  unseal(purpose: Purpose, sealed: string): string | null;
};

/** `keys`: newest first, at least one. The first signs, all are accepted. A purpose without separate keys uses `common`. */
export type SecretKeys<Purpose extends string> = { common: readonly string[]; own: Partial<Record<Purpose, readonly string[]>> };

const wholeLength = 64;
const nonceBytes = 12;
const tagBytes = 16;

const cipherKey = (key: string, purpose: string): Uint8Array => new Uint8Array(hkdfSync("sha256", key, "", `seal\0${purpose}`, 32));

function sealWith(key: string, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", cipherKey(key, purpose), nonce);
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

function unsealWith(key: string, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv("aes-256-gcm", cipherKey(key, purpose), bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("utf8");
  } catch {
    return null; // the tag does not fit: another key, or other bytes
  }
}

/**
 * Signs and seals with keys for each purpose: `own` keys of a purpose, else the `common` ones. The newest key signs and seals; all of
 * them are tried for reading, so that keys can be replaced. Throws if a purpose has no key.
 */
export function createSecrets<Purpose extends string>({ common, own }: SecretKeys<Purpose>): Secrets<Purpose> {
  const keysOf = (purpose: Purpose): readonly string[] => own[purpose] ?? common;
  const newest = (purpose: Purpose): string => {
    const [key] = keysOf(purpose);
    if (key === undefined) throw new RangeError(`no key for ${purpose}`);
    return key;
  };
  const signWith = (key: string, purpose: Purpose, text: string, length: number): string => hmac(key, purpose, text).slice(0, length);
  return {
    sign: (purpose, text, length = wholeLength) => signWith(newest(purpose), purpose, text, length),
    isSigned: (purpose, text, signature, length = wholeLength) =>
      keysOf(purpose).some((key) => isSameSecret(signWith(key, purpose, text, length), signature)),
    seal: (purpose, text) => sealWith(newest(purpose), purpose, text),
    unseal(purpose, sealed) {
      for (const key of keysOf(purpose)) {
        const text = unsealWith(key, purpose, sealed);
        if (text !== null) return text;
      }
      return null;
    },
  };
}
