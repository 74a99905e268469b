import { maxArrivalTextLength, paidClickParameters, type Arrival } from "#shop/orders/traffic-source.ts";

/** The address with which this document was opened, whatever pages it has shown since. */
export const openedAddress = (): string => performance.getEntriesByType("navigation")[0]?.name ?? location.href;

/**
 * How the visitor came, from the address and the referrer of this document: nothing is stored in the browser (docs/decisions/0084). Null:
 * the document was opened from a page of the shop, such as a link in a new tab, so the source is unknown.
 */
export function arrivalOf(referrer: string, opened: string, origin: string): Arrival | null {
  const parameters = URL.canParse(opened) ? new URL(opened).searchParams : new URLSearchParams();
  const mark = (name: string): string => (parameters.get(name) ?? "").slice(0, maxArrivalTextLength);
  const from = URL.canParse(referrer) ? new URL(referrer) : null;
  const isFromShop = from?.origin === origin;
  const arrival: Arrival = {
    referrer: isFromShop ? "" : (from?.hostname ?? "").slice(0, maxArrivalTextLength),
    utmSource: mark("utm_source"),
    utmMedium: mark("utm_medium"),
    utmCampaign: mark("utm_campaign"),
    isPaidClick: paidClickParameters.some((name) => parameters.has(name)),
  };
  const isMarked = arrival.isPaidClick || arrival.utmSource !== "" || arrival.utmMedium !== "" || arrival.utmCampaign !== "";
  return isFromShop && !isMarked ? null : arrival;
}
