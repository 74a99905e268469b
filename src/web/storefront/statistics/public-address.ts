import { secretPaths } from "virtual:page-paths/secret";
import type { PageHandle } from "../page/page-handle.ts";

/** Query parameters that open something by themselves: the key of an order's link, the token of a letter. */
const secrets = ["key", "token"] as const;

/** Whether the address opens something private without a session. The counter is not loaded there. */
export function isPrivateAddress({ pathname, search }: { pathname: string; search: string }): boolean {
  const query = new URLSearchParams(search);
  return secretPaths.test(pathname) || secrets.some((name) => query.has(name));
}

/** Whether a document was opened by a link on a private page of the shop: its referrer is visible to every script of the document. */
export function isPrivateReferrer(referrer: string, origin: string): boolean {
  return referrer.startsWith(`${origin}/`) && isPrivateAddress(new URL(referrer));
}

/** The address that the counter gets: what the page's rules say (a search text, a path without an id), else the path without the query. */
export function publicAddress(
  origin: string,
  { pathname, search }: { pathname: string; search: string },
  { countedPath = pathname, countedParameter }: Pick<PageHandle, "countedPath" | "countedParameter">,
): string {
  const value = countedParameter === undefined ? null : new URLSearchParams(search).get(countedParameter);
  return `${origin}${countedPath}${value === null ? "" : `?${countedParameter}=${encodeURIComponent(value)}`}`;
}
