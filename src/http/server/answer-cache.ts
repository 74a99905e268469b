import { createHash } from "node:crypto";
import type { Call, RateLimitName } from "#contract/call.ts";
import { jsonPolicy } from "./headers.ts";

/** An answer that is the same for every visitor: as it is, or compressed with Brotli. */
export type CachedAnswer = { etag: string; headers: Readonly<Record<string, string>> } & (
  | { body: Buffer; br: null }
  | { body: null; br: Buffer }
);

/** The answer of a call, with what the log and the limits need. */
export type CachedCall = { answer: CachedAnswer; route: string; rateLimit: RateLimitName };

const maxAnswers = 1_000;
const maxUrlLength = 1_000;

/**
 * Serialised answers of public reads by their raw address. An answer is valid while the source that it was made from is the current one:
 * `basis` is the identity of that source (a read model, a snapshot of rates), and null while the source must be read again.
 */
export function createAnswerCache() {
  const answers = new Map<string, CachedCall & { basis: object; current: () => object | null }>();

  return {
    /** Stores the answer if its source did not change while it was made, and returns it. */
    store(
      rawUrl: string,
      call: Call,
      { basis, current }: { basis: object; current: () => object | null },
      content: unknown,
    ): CachedCall | null {
      if (rawUrl.length > maxUrlLength || current() !== basis) return null;
      const body = Buffer.from(JSON.stringify(content));
      const etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "content-security-policy": jsonPolicy,
        "cache-control": "no-cache",
      };
      const cached = {
        answer: { etag, headers, body, br: null },
        route: call.path.replaceAll(/\{(\w+)\}/g, ":$1"),
        rateLimit: call.rateLimit,
        basis,
        current,
      };
      if (answers.size >= maxAnswers) answers.clear();
      answers.set(rawUrl, cached);
      return cached;
    },
    find(rawUrl: string): CachedCall | null {
      const cached = answers.get(rawUrl);
      return cached && cached.current() === cached.basis ? cached : null;
    },
  };
}
export type AnswerCache = ReturnType<typeof createAnswerCache>;
