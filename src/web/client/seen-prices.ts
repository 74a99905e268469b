import { priceListHeader } from "#contract/public/price-list.ts";

/** The newest version of the price list that this page has shown or received; 0: none yet. */
let seen = 0;

/** Records the version of a price list that this page shows or has received. */
export function noteSeenPrices(version: number): void {
  seen = Math.max(seen, version);
}

/**
 * Lets every request to the shop name the newest price list that the page has seen, so that another process of the shop does not answer
 * with an older one. An answer that is older all the same (a page that the browser fetched ahead) is fetched again. The router has no place
 * for a header of its own, so this wraps `fetch`; requests to other hosts are left as they are.
 */
export function sendSeenPrices(): void {
  const { fetch } = window;
  window.fetch = async (target, init = {}) => {
    if (seen === 0 || target instanceof Request || new URL(target, location.href).origin !== location.origin) return fetch(target, init);
    const headers = new Headers(init.headers);
    headers.set(priceListHeader, `${seen}`);
    const answer = await fetch(target, { ...init, headers });
    const version = Number(answer.headers.get(priceListHeader) ?? seen);
    if (version < seen && /^get$/i.test(init.method ?? "get")) return fetch(target, { ...init, headers, cache: "no-cache" });
    noteSeenPrices(version);
    return answer;
  };
}
