/**
 * A page sends the newest version of the price list that it has seen, so that no process of the shop answers with older prices; the answers
 * of pages name the version that their prices are from.
 */
export const priceListHeader = "X-Price-List";

/** The version in the header of a request; 0: none. */
export function priceListIn(headers: Readonly<Record<string, unknown>>): number {
  const given = headers["x-price-list"];
  return typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : 0;
}
