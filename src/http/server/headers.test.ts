import { expect, test } from "vitest";
import { pageHeaders } from "./headers.ts";

function policyOf(mapScriptUrl: string | null): Map<string | undefined, string> {
  const headers = pageHeaders({ scriptHashes: ["'sha256-abc'"], paymentOrigin: "https://pay.example", mapScriptUrl });
  const parts = headers["content-security-policy"]?.split("; ") ?? [];
  return new Map(parts.map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]));
}

test("a page without a map loads nothing from other hosts", () => {
  const policy = policyOf(null);
  expect([policy.get("script-src"), policy.get("style-src"), policy.get("img-src"), policy.get("connect-src")]).toEqual([
    "'self' 'sha256-abc'",
    "'self'",
    "'self' data:",
    "'self'",
  ]);
});

test("a page with the map loads from its hosts: one for our own script, three and blobs for Yandex", () => {
  const own = policyOf("http://127.0.0.1:4000/2.1/?apikey=demo");
  expect([own.get("script-src"), own.get("style-src"), own.get("img-src")]).toEqual([
    "'self' 'sha256-abc' http://127.0.0.1:4000",
    "'self'",
    "'self' data: http://127.0.0.1:4000",
  ]);
  const yandex = policyOf("https://api-maps.yandex.ru/2.1/?apikey=k");
  expect(yandex.get("connect-src")).toBe("'self' https://api-maps.yandex.ru https://yastatic.net https://*.maps.yandex.net");
  expect(yandex.get("style-src")).toBe("'self' blob:");
});

test("styles inside a page are approved by their hashes, beside those of files", () => {
  const headers = pageHeaders({ scriptHashes: [], styleHashes: ["'sha256-def'"], paymentOrigin: null });
  expect(headers["content-security-policy"]).toContain("; style-src 'self' 'sha256-def';");
});

test("violations of the policy are reported to the shop", () => {
  expect(policyOf(null).get("report-to")).toBe("policy");
  expect(pageHeaders({ scriptHashes: [], paymentOrigin: null })["reporting-endpoints"]).toBe('policy="/api/faults/policy"');
});
