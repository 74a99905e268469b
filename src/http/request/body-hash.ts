import { createHash } from "node:crypto";
import { sha256 } from "#kit/security/secrets.ts";

/** Identifies equal bodies: SHA-256 of the JSON with sorted keys. */
export const bodyHash = (body: unknown): string => sha256(canonicalJson(body));

/** JSON text that depends only on the content; absent and `undefined` members are equal. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(",")}}`;
}

/** Identifies equal files. */
export const bytesHash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
