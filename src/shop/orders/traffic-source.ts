/**
 * Where the buyer of an order came from: a kind of channel, the name of the site or campaign, and nothing that could be of a person.
 * Browsers load this file, so it has no schemas.
 */

export const channels = ["search", "advertising", "social", "mail", "campaign", "link", "direct"] as const;
export type Channel = (typeof channels)[number];

/** `name`: the host of the site, or `utm_source`; null: there is none, or it could be of a person. */
export type TrafficSource = { channel: Channel; name: string | null; campaign: string | null };

/** What a page reads about how it was opened. An empty text: nothing. */
export type Arrival = {
  /** The host of the page with the link. */
  referrer: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  /** The address had the id of a paid click; the id itself is not sent. */
  isPaidClick: boolean;
};
export const maxArrivalTextLength = 100;

/** Parameters that advertising systems add to the address of a paid click. */
export const paidClickParameters = ["yclid", "gclid", "rb_clickid"] as const;

const advertisingMedia = /^(cpc|cpm|cpa|cpv|ppc|ads?|paid.*|banner|display|retargeting|target|context)$/;
const mailMedia = /^(e-?mail|mail|newsletter|letter)$/;
const socialMedia = /^(social.*|smm|messenger)$/;

const searchHosts =
  /(^|\.)((yandex|google)\.[a-z.]+|ya\.ru|googlequicksearchbox|bing\.com|duckduckgo\.com|(go|search)\.mail\.ru|nova\.rambler\.ru)$/;
const mailHosts = /^((e|m|touch)\.mail\.ru|mail\..+|outlook\..+|.*\.gm)$/;
const socialHosts =
  /(^|\.)(vk\.(com|ru)|vkvideo\.ru|ok\.ru|t\.me|telegram\.(org|me)|org\.telegram\.messenger|dzen\.ru|youtube\.com|rutube\.ru|pikabu\.ru)$/;

/** The source of an order by what its document knew. Marks in the address (`utm_…`) say more than the site that had the link. */
export function trafficSourceOf({ referrer, utmSource, utmMedium, utmCampaign, isPaidClick }: Arrival): TrafficSource {
  const host = plain(referrer)?.replace(/^www\./, "") ?? null;
  const [source, medium, campaign] = [plain(utmSource), plain(utmMedium) ?? "", plain(utmCampaign)];
  const name = source ?? host;
  if (isPaidClick || advertisingMedia.test(medium)) return { channel: "advertising", name, campaign };
  if (mailMedia.test(medium)) return { channel: "mail", name, campaign };
  if (socialMedia.test(medium)) return { channel: "social", name, campaign };
  if (source !== null || campaign !== null) return { channel: "campaign", name, campaign };
  return host === null ? { channel: "direct", name: null, campaign: null } : { channel: channelOf(host), name: host, campaign: null };
}

/** The mail of a search engine is mail. */
function channelOf(host: string): Channel {
  if (mailHosts.test(host)) return "mail";
  if (searchHosts.test(host)) return "search";
  return socialHosts.test(host) ? "social" : "link";
}

const maxNameLength = 60;

/** A mark as it may be stored; null: empty, or with an e-mail or as many digits as a phone. Numbers of campaigns have fewer. */
function plain(text: string): string | null {
  const folded = text.normalize("NFC").trim().toLowerCase().slice(0, maxNameLength);
  const digits = folded.replaceAll(/\D/g, "").length;
  return folded === "" || folded.includes("@") || digits >= 10 || !/^[\p{L}\p{N} ._|+-]+$/u.test(folded) ? null : folded;
}
