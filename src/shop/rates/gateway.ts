import type { MetalCode } from "./rate.ts";

/** One reading of the exchange. `value` is roubles per gram in 1/10 000 ₽; `null` cells of the source never get here. */
export type MetalTick = { code: MetalCode; valueE4: number; previousCloseE4: number | null; observedAt: Date };
export type MarketReading = { ticks: MetalTick[]; isOpen: boolean };
/** Roubles per dollar in 1/10 000 ₽, with the day from which it holds. */
export type DollarRate = { valueE4: number; previousE4: number | null; effectiveOn: string };
/** The Bank of Russia's accounting price of a metal: a check and a thing to show, never the price of a quote. */
export type OfficialMetal = { code: MetalCode; valueE4: number; effectiveOn: string };

/** The source answered, and the answer cannot be right: wrong shape, unit, number or date. An outage is any other error. */
export class WrongRates extends Error {}

/** Where rates come from. Every method throws when the source cannot be asked or answers nonsense; nothing is made up. */
export type RatesGateway = {
  readMarket(): Promise<MarketReading>;
  readDollar(day: string): Promise<DollarRate>;
  readOfficialMetals(from: string, to: string): Promise<OfficialMetal[]>;
};
