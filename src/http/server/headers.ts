import type { FastifyReply } from "fastify";

/** Headers of every answer. Version headers are never sent. */
export function securityHeaders(isSecure: boolean): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy":
      "accelerometer=(),browsing-topics=(),camera=(),display-capture=(),geolocation=(self),gyroscope=(),microphone=(),payment=(),usb=()",
    ...(isSecure ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

/** JSON is not a page: if a browser renders it as one, nothing may run or load. */
export const jsonPolicy = "default-src 'none'; frame-ancestors 'none'";

export type PagePolicy = {
  /** `'sha256-…'` of the page's own inline scripts, with the quotes. */
  scriptHashes: readonly string[];
  /** The same of its inline styles. */
  styleHashes?: readonly string[];
  /** The foreign origin to which forms of the checkout may redirect. */
  paymentOrigin: string | null;
  /** Hosts of the analytics counter, if configured; loaded only with consent. */
  counterHosts?: readonly string[];
  /** The script of the map, on pages with a map. */
  mapScriptUrl?: string | null;
};

/** What a map loads besides its script: tiles and modules from other hosts, styles as blobs. Source: Yandex, JS API 2.1, page "CSP". */
function mapSources(scriptUrl: string | null | undefined): { hosts: readonly string[]; styles: string } {
  if (!scriptUrl) return { hosts: [], styles: "" };
  const { origin, hostname } = new URL(scriptUrl);
  return hostname.endsWith(".yandex.ru")
    ? { hosts: [origin, "https://yastatic.net", "https://*.maps.yandex.net"], styles: "blob:" }
    : { hosts: [origin], styles: "" };
}

/** The address of policy violation reports. */
export const policyReportsPath = "/api/faults/policy";

/** Headers of an HTML answer: what may run, load and be posted to, so that foreign markup runs no scripts. Cached with the page. */
export function pageHeaders({
  scriptHashes,
  styleHashes = [],
  paymentOrigin,
  mapScriptUrl,
  counterHosts = [],
}: PagePolicy): Record<string, string> {
  const { hosts: mapHosts, styles } = mapSources(mapScriptUrl);
  const list = (...sources: readonly string[]) => sources.filter((source) => source !== "").join(" ");
  const policy = [
    "default-src 'self'",
    `script-src ${list("'self'", ...scriptHashes, ...mapHosts, ...counterHosts)}`,
    `style-src ${list("'self'", ...styleHashes, styles)}`,
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

/**
 * Headers of the back office's page: everything comes from its own origin, and pictures that were just chosen are shown from the browser's
 * memory. Styles in HTML are refused; those that scripts set on elements are not HTML.
 */
export const officePageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "report-to policy",
  ].join("; "),
  "reporting-endpoints": `policy="${policyReportsPath}"`,
  "x-frame-options": "DENY",
};

/** Personal answers are not cached. */
export const setPrivate = (reply: FastifyReply): FastifyReply => reply.header("cache-control", "private, no-store");
