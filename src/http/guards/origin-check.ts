import type { IncomingHttpHeaders } from "node:http";
import type { AllowedOrigins } from "./allowed-origins.ts";

/** What is checked: a call that changes state, one of the four legacy GETs, or the action of a page. */
export type OriginCheckKind = "call" | "legacy_get" | "page_action";

/**
 * Whether the origin of a state-changing request is allowed. Browsers send `Sec-Fetch-*`; without these, `Origin` decides, else
 * `Referer`. A request with none of them comes from a program, which a web page cannot control: it may call the API, but not post
 * forms of pages.
 */
export function isAllowedOrigin(headers: IncomingHttpHeaders, kind: OriginCheckKind, own: AllowedOrigins): boolean {
  if (isPrefetch(headers)) return false;
  const site = headers["sec-fetch-site"];
  const mode = headers["sec-fetch-mode"];
  const destination = headers["sec-fetch-dest"];
  if (site !== undefined && site !== "same-origin") return false;
  if (kind !== "page_action") {
    if (mode === "navigate" || (destination !== undefined && destination !== "empty")) return false;
  }
  const isMarked = site !== undefined || mode !== undefined || destination !== undefined;
  if (kind === "legacy_get" && !isMarked && wantsHtml(headers)) return false;

  const { origin, referer } = headers;
  // A form on a page without a referrer (an order's own link) has the origin `null`; Sec-Fetch-Site still identifies it.
  if (kind === "page_action" && site === "same-origin" && origin === "null") return true;
  if (origin !== undefined) return own.isOrigin(origin);
  if (site !== undefined) return true;
  if (referer !== undefined) return own.isOrigin(originOf(referer));
  return kind !== "page_action"; // that the body is JSON is checked for every client (guards.ts)
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-purpose"], headers["x-moz"]];
  return purposes.some((purpose) => purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose)));
}

const wantsHtml = (headers: IncomingHttpHeaders): boolean => /text\/html|application\/xhtml/i.test(headers.accept ?? "");

/** `application/json`, with no parameter but a UTF-8 charset. */
export const isJson = (contentType: string): boolean =>
  /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(contentType.trim());

function originOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return "";
  }
}
