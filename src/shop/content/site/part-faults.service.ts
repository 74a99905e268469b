import type { Tx } from "#kit/db.ts";
import * as catalog from "#shop/catalog/service.ts";
import { catalogTarget, isAlwaysTaken, pathOf } from "../addresses.ts";
import { isHref, type PartData } from "./parts.ts";

/** What a part of the site refers to: a coin or an address, at the path of its field. */
type Reference = { path: string; value: string; isShown: boolean };

const coinFields = ["coin", "errorCoin", "capsuleCoin"];
const coinLists = ["coins", "slugs"];
const linkFields = ["href", "goldSpreads", "silverSpreads"];

/**
 * Messages by field for coins and pages that do not exist. A coin of the home page may be off sale: its block is left out meanwhile.
 * `paths`: the addresses of published texts and of redirects. Null: no faults.
 */
export async function partFaults(tx: Tx, data: PartData, paths: ReadonlySet<string>): Promise<Record<string, string> | null> {
  const coins = referencesIn(data, (name, value) => coinFields.includes(name) || (coinLists.includes(name) && Array.isArray(value)));
  const links = referencesIn(data, (name) => linkFields.includes(name));
  const slugs = coins.map(({ value }) => value);
  const hrefs = links.map(({ value }) => value);
  const onSale = await catalog.onSaleBySlugs(tx, slugs);
  const missing = await missingPages(tx, hrefs, paths);
  const faults: Record<string, string> = {};
  for (const { path, value, isShown } of coins) {
    if (!onSale.has(value)) faults[path] ??= "Такой монеты нет";
    else if (isShown && data.kind !== "home" && !onSale.get(value)) faults[path] ??= "Эта монета не продаётся: выберите другую";
  }
  for (const { path, value } of links) if (isHref(value) && missing.has(value)) faults[path] ??= noPage;
  return Object.keys(faults).length > 0 ? faults : null;
}

/**
 * Those of the links that lead to no page of the site: to a category or a coin that visitors do not see, to a text that is not published.
 * `paths`: the addresses of published texts, and of redirects if they count.
 */
export async function missingPages(tx: Tx, hrefs: readonly string[], paths: ReadonlySet<string>): Promise<Set<string>> {
  const links = hrefs.flatMap((href) => {
    const path = pathOf(href)?.replace(/(.)\/$/, "$1");
    return path === undefined ? [] : [{ href, path, target: catalogTarget(path) }];
  });
  const slugs = links.flatMap(({ target }) => (target && "coin" in target ? target.coin : []));
  const onSale = await catalog.onSaleBySlugs(tx, slugs);
  const categories = await catalog.categories({ db: tx });
  const sections = new Set(categories.map(({ slug }) => slug));
  const exists = ({ path, target }: (typeof links)[number]): boolean => {
    if (target === null) return paths.has(path) || isAlwaysTaken(path);
    return "coin" in target ? onSale.get(target.coin) === true : sections.has(target.section);
  };
  return new Set(links.filter((link) => !exists(link)).map(({ href }) => href));
}

export const noPage = "Такой страницы на сайте нет";

type IsReference = (name: string, value: unknown) => boolean;

function referencesIn(data: unknown, isReference: IsReference, path = "", isShown = true): Reference[] {
  if (typeof data !== "object" || data === null) return [];
  const isOn = isShown && (data as { isOn?: boolean }).isOn !== false;
  return Object.entries(data).flatMap(([name, value]: [string, unknown]): Reference[] => {
    const at = path === "" ? name : `${path}.${name}`;
    if (!isReference(name, value)) return referencesIn(value, isReference, at, isOn);
    const texts = Array.isArray(value) ? (value as unknown[]) : [value];
    return texts.flatMap((text) => (typeof text === "string" && text !== "" ? [{ path: at, value: text, isShown: isOn }] : []));
  });
}
