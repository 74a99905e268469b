import type { MetalCode } from "./rate.ts";

/** One price from the exchange: `valueE4` is roubles per gram in 1/10 000 ₽. The adapter omits empty cells of the source. */
export type MetalTick = { code: MetalCode; valueE4: number; previousCloseE4: number | null; observedAt: Date };
export type MarketAnswer = { ticks: MetalTick[]; isOpen: boolean };
/** Roubles per dollar in 1/10 000 ₽, with the day from which it is in force. */
export type DollarRate = { valueE4: number; previousE4: number | null; effectiveOn: string };
/** The Bank of Russia's accounting price of a metal, roubles per gram in 1/10 000 ₽. It is shown and used as a check, never for quotes. */
export type OfficialMetal = { code: MetalCode; valueE4: number; effectiveOn: string };

/** Thrown when a source answered with an invalid value: wrong shape, unit, number or date. Any other error means an outage. */
export class InvalidRatesError extends Error {}

/** The sources of rates. Every method throws when the source is unavailable or its answer is invalid; no default value is returned. */
export type RatesGateway = {
  readMarket(): Promise<MarketAnswer>;
  readDollar(day: string): Promise<DollarRate>;
  readOfficialMetals(from: string, to: string): Promise<OfficialMetal[]>;
};
