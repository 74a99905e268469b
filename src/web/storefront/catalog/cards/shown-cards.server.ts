import type { Card } from "#shop/search/card.ts";
import { cardView, type ShownCard } from "./card-view.ts";

const maxCards = 1_000;
/** The last card of each coin and its view. */
const views = new Map<number, { card: Card; shown: ShownCard }>();

/**
 * The views of cards for pages. A card with equal values has the same view, which is frozen, so that pages can remember what they made from
 * it: its row of data and the key of its HTML.
 */
export const shownCards = (cards: readonly Card[]): ShownCard[] => cards.map(shownCard);

function shownCard(card: Card): ShownCard {
  const known = views.get(card.id);
  if (known && isEqual(known.card, card)) return known.shown;
  if (views.size >= maxCards) views.clear();
  const shown = Object.freeze(cardView(card));
  views.set(card.id, { card, shown });
  return shown;
}

/** Compares all values of two cards, also those that the view does not have, so that none can be forgotten here. */
function isEqual(one: Card, other: Card): boolean {
  for (const name in one) {
    const [value, another] = [one[name as keyof Card], other[name as keyof Card]];
    if (value === another) continue;
    if (typeof value !== "object" || JSON.stringify(value) !== JSON.stringify(another)) return false;
  }
  return true;
}
