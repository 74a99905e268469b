import type { FastifyReply } from "fastify";

/** On every answer. Version headers are never sent. */
export function securityHeaders(isSecure: boolean): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy":
      "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(self), gyroscope=(), microphone=(), payment=(), usb=()",
    ...(isSecure ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

/** JSON is never a page: should a browser be talked into showing it as one, nothing in it runs or loads. */
export const jsonPolicy = "default-src 'none'; frame-ancestors 'none'";

export type PagePolicy = {
  /** `'sha256-…'` of the page's own inline scripts, with the quotes. */
  scriptHashes: readonly string[];
  /** Where the form of the checkout may lead besides ourselves. */
  paymentOrigin: string | null;
  /** The counter of visits, where the owner has one: it loads from there and reports to there, for whoever agreed. */
  counterHosts?: readonly string[];
  /** The script of the map, on the page that shows one. */
  mapScriptUrl?: string | null;
};

/** What a map loads besides its script: Yandex brings tiles and parts of itself from elsewhere and its styles as blobs. Yandex, "CSP" page of the JS API 2.1. */
function mapSources(scriptUrl: string | null | undefined): { hosts: readonly string[]; styles: string } {
  if (!scriptUrl) return { hosts: [], styles: "" };
  const { origin, hostname } = new URL(scriptUrl);
  return hostname.endsWith(".yandex.ru")
    ? { hosts: [origin, "https://yastatic.net", "https://*.maps.yandex.net"], styles: "blob:" }
    : { hosts: [origin], styles: "" };
}

/** Where browsers tell what a policy kept them from. */
export const policyReportsPath = "/api/faults/policy";

/** Headers of an HTML answer: what may run, load and be posted to (threat model J1). Goes into the page cache with the page. */
export function pageHeaders({ scriptHashes, paymentOrigin, mapScriptUrl, counterHosts = [] }: PagePolicy): Record<string, string> {
  const { hosts: mapHosts, styles } = mapSources(mapScriptUrl);
  const list = (...sources: readonly string[]) => sources.filter((source) => source !== "").join(" ");
  const policy = [
    "default-src 'self'",
    `script-src ${list("'self'", ...scriptHashes, ...mapHosts, ...counterHosts)}`,
    `style-src ${list("'self'", styles)}`,
    `img-src ${list("'self'", "data:", ...mapHosts, ...counterHosts)}`,
    `connect-src ${list("'self'", ...mapHosts, ...counterHosts)}`,
    "media-src 'self'",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${list("'self'", paymentOrigin ?? "")}`,
    "report-to policy",
  ];
  return { "content-security-policy": policy.join("; "), "reporting-endpoints": `policy="${policyReportsPath}"` };
}

/** Answers that depend on who asks are kept by nobody. */
export const keepPrivate = (reply: FastifyReply): FastifyReply => reply.header("cache-control", "private, no-store");
