import { priceBands, spreadChoices } from "../listing.ts";
import { orderBy } from "../index/order-by.ts";

/** Stock and prices by position; amounts in kopecks, spreads in hundredths of a percent, NaN where unknown. */
export type LiveValues = { price: Float64Array; spread: Float64Array; available: Int32Array };

/** What a coin counts for besides its class, a bit each: in stock, each choice of the spread, each price band. */
export type LiveMasks = Uint16Array;
export const stockMask = 1;
/** Ranges of the spread are cumulative: a spread of 7 % counts for 8 %, 10 % and so on. */
export const spreadMask = (choice: number): number => 2 << choice;
/** Both ends belong to a band. */
export const bandMask = (band: number): number => 2 << (spreadChoices.length + band);
export const liveMaskCount = 2 << (spreadChoices.length + priceBands.length);

const knownMasks = new WeakMap<Int32Array, LiveValues & { masks: LiveMasks }>();

/** The masks of all coins; made once for each state of prices and stock. */
export function liveMasks({ price, spread, available }: LiveValues): LiveMasks {
  const known = knownMasks.get(available);
  if (known?.price === price && known.spread === spread) return known.masks;
  const masks = new Uint16Array(price.length);
  for (let i = 0; i < masks.length; i += 1) {
    let mask = (available[i] ?? 0) > 0 ? stockMask : 0;
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
  knownMasks.set(available, { price, spread, available, masks });
  return masks;
}

/** Prices in ascending order with the place of each coin among them; coins without a price come after `count`. */
export type RankedPrices = { count: number; sorted: Float64Array; rank: Int32Array };

const knownRanks = new WeakMap<Float64Array, RankedPrices>();

/** Made once for each price list. */
export function rankedPrices(price: Float64Array): RankedPrices {
  const known = knownRanks.get(price);
  if (known) return known;
  const order = orderBy(price);
  const sorted = Float64Array.from(order, (i) => price[i] ?? Number.NaN);
  const rank = new Int32Array(price.length);
  for (let place = 0; place < order.length; place += 1) rank[order[place] ?? 0] = place;
  const unpriced = sorted.findIndex(Number.isNaN);
  const made = { count: unpriced < 0 ? sorted.length : unpriced, sorted, rank };
  knownRanks.set(price, made);
  return made;
}
