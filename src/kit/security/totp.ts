import { Secret, TOTP } from "otpauth";

const period = 30;

/** Time-based codes of six digits (RFC 6238). `secret` is base32. */
const totpOf = (secret: string, label = "", issuer = "") =>
  new TOTP({ secret: Secret.fromBase32(secret), label, issuer, algorithm: "SHA1", digits: 6, period });

/** A secret of 160 bits from hex digits. */
export const totpSecret = (hex: string): string => Secret.fromHex(hex.slice(0, 40)).base32;

/** What applications read from the QR code. */
export const totpUri = (secret: string, label: string, issuer: string): string => totpOf(secret, label, issuer).toString();

/** The time step of a code that is valid now, or one step before or after; null: it is not. The caller accepts each step once. */
export function totpStepOf(secret: string, code: string, now: Date): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / period) + delta;
}

/** The code of a moment, for tests. */
export const totpCodeAt = (secret: string, at: Date): string => totpOf(secret).generate({ timestamp: at.getTime() });
