/** Metals the shop prices by, roubles per gram. */
export type MetalCode = "XAU_RUB" | "XAG_RUB";
export type RateCode = MetalCode | "USD_RUB";
