import { priceBands, spreadChoices } from "../listing.ts";
import { orderBy } from "../index/order-by.ts";

/** Stock and prices by position; amounts in kopecks, spreads in hundredths of a percent, NaN where unknown. */
export type LiveValues = { price: Float64Array; spread: Float64Array; available: Int32Array };

/** What a coin counts for besides its class, a bit each: in stock (not in `PriceMasks`), each choice of the spread, each price band. */
export type PriceMasks = Uint16Array;
export const stockMask = 1;
/** Ranges of the spread are cumulative: a spread of 7 % counts for 8 %, 10 % and so on. */
export const spreadMask = (choice: number): number => 2 << choice;
/** Both ends belong to a band. */
export const bandMask = (band: number): number => 2 << (spreadChoices.length + band);
export const liveMaskCount = 2 << (spreadChoices.length + priceBands.length);

const knownMasks = new WeakMap<Float64Array, { spread: Float64Array; masks: PriceMasks }>();

/** The masks of all coins, without stock, which changes with each sale; made once for each price list. */
export function priceMasks({ price, spread }: Pick<LiveValues, "price" | "spread">): PriceMasks {
  const known = knownMasks.get(price);
  if (known?.spread === spread) return known.masks;
  const masks = new Uint16Array(price.length);
  for (let i = 0; i < masks.length; i += 1) {
    let mask = 0;
    const bp = spread[i] ?? Number.NaN;
    for (let choice = 0; choice < spreadChoices.length; choice += 1)
      if (bp <= (spreadChoices[choice] ?? 0) * 100) mask |= spreadMask(choice);
    const cost = price[i] ?? Number.NaN;
    for (let band = 0; band < priceBands.length; band += 1) {
      const { from = 0, to = Number.POSITIVE_INFINITY } = priceBands[band] ?? {};
      if (cost >= from * 100 && cost <= to * 100) mask |= bandMask(band);
    }
    masks[i] = mask;
  }
  knownMasks.set(price, { spread, masks });
  return masks;
}

/** Prices in ascending order with the place of each coin among them; coins without a price come after `count`. */
export type RankedPrices = { count: number; sorted: Float64Array; rank: Int32Array };

const knownRanks = new WeakMap<Float64Array, RankedPrices>();

/** Made once for each price list. `ascending`: the order by price, where it is known. */
export function rankedPrices(price: Float64Array, ascending: Int32Array | null = null): RankedPrices {
  const known = knownRanks.get(price);
  if (known) return known;
  const order = ascending ?? orderBy(price);
  const [sorted, rank] = [new Float64Array(order.length), new Int32Array(order.length)];
  for (let place = 0; place < order.length; place += 1) {
    const i = order[place] ?? 0;
    sorted[place] = price[i] ?? Number.NaN;
    rank[i] = place;
  }
  const unpriced = sorted.findIndex(Number.isNaN);
  const made = { count: unpriced < 0 ? sorted.length : unpriced, sorted, rank };
  knownRanks.set(price, made);
  return made;
}
