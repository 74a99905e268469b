import type { PageTexts, TextPart } from "#web/fragments/inserts.ts";
import type { ShownCard } from "../cards/card-view.ts";
import { asText, fromText, type TextData } from "../../page/text-data.ts";
import type { ShownListing } from "./listing-view.ts";

/** Values of a list's objects, all with the same names: the names once, then a row for each object. */
type Table = [names: string[], ...rows: unknown[][]];
type Row = Record<string, string | number | boolean | null>;

/** A listing as one text for the browser, with the names of the fields of cards and choices once instead of with each of them. */
export function listingData(page: PageTexts, listing: ShownListing): TextData {
  const { facets, cards, ...rest } = listing;
  const [first] = cards;
  const choices = Object.entries(facets).map(([name, facet]) => [name, facet.title, tableOf(facet.choices)]);
  const other = JSON.stringify({ ...rest, facets: choices });
  const names = JSON.stringify(Object.keys(first ?? {}));
  return asText(page, listing, [{ text: `${other.slice(0, -1)},"cards":[${names}` }, ...cards.map(rowOf), { text: "]}" }]);
}

/** Rows of cards that never change (`shownCards`). */
const rows = /* @__PURE__ */ new WeakMap<ShownCard, TextPart>();

/** The row of a card after others. All cards have the same fields in the same order. */
function rowOf(card: ShownCard): TextPart {
  const known = rows.get(card);
  if (known) return known;
  const row = { text: `,${JSON.stringify(Object.values(card))}` };
  if (Object.isFrozen(card)) rows.set(card, row);
  return row;
}

/** The listing of `listingData`. */
export const listingOf = (data: TextData): ShownListing => fromText(data, unpacked);

function unpacked(packed: unknown): ShownListing {
  const { facets, cards, ...rest } = packed as { facets: [name: string, title: string, choices: Table][]; cards: Table };
  const choices = facets.map(([name, title, table]) => [name, { title, choices: listOf(table) }]);
  return { ...rest, cards: listOf(cards), facets: Object.fromEntries(choices) } as ShownListing;
}

function tableOf(list: readonly Row[]): Table {
  const names = Object.keys(list[0] ?? {});
  return [names, ...list.map((each) => names.map((name) => each[name]))];
}

function listOf([names, ...rows]: Table): Row[] {
  return rows.map((row) => {
    const each: Row = {};
    for (let i = 0; i < names.length; i += 1) each[names[i] ?? ""] = row[i] as Row[string];
    return each;
  });
}
