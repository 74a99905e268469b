import type { FastifyReply } from "fastify";

/** On every answer. Version headers are never sent. */
export function securityHeaders(isSecure: boolean): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(self), gyroscope=(), microphone=(), payment=(), usb=()",
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
  /** Hosts of the map, on the page that shows one. */
  mapHosts?: readonly string[];
  /** The counter of visits, where the owner has one: it loads from there and reports to there, for whoever agreed. */
  counterHosts?: readonly string[];
};

/** Headers of an HTML answer: what may run, load and be posted to (threat model J1). Goes into the page cache with the page. */
export function pageHeaders({ scriptHashes, paymentOrigin, mapHosts = [], counterHosts = [] }: PagePolicy): Record<string, string> {
  const list = (...sources: readonly string[]) => sources.filter((source) => source !== "").join(" ");
  const policy = [
    "default-src 'self'",
    `script-src ${list("'self'", ...scriptHashes, ...mapHosts, ...counterHosts)}`,
    "style-src 'self'",
    `img-src ${list("'self'", "data:", ...mapHosts, ...counterHosts)}`,
    `connect-src ${list("'self'", ...mapHosts, ...counterHosts)}`,
    "media-src 'self'",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${list("'self'", paymentOrigin ?? "")}`,
  ];
  return { "content-security-policy": policy.join("; ") };
}

/** Answers that depend on who asks are kept by nobody. */
export const keepPrivate = (reply: FastifyReply): FastifyReply => reply.header("cache-control", "private, no-store");
