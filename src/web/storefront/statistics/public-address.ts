import { secretPaths } from "virtual:page-paths/secret";

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

/** The address that the counter gets: without the query, except the search text, and without the id of an order. */
export function publicAddress(origin: string, { pathname, search }: { pathname: string; search: string }): string {
  const query = pathname === "/search" ? new URLSearchParams(search).get("q") : null;
  return `${origin}${pathname.replace(/^(\/my\/orders)\/.+/, "$1")}${query === null ? "" : `?q=${encodeURIComponent(query)}`}`;
}
