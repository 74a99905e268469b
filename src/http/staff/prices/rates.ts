import * as contract from "#contract/staff/prices/rates.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done } from "#kit/result.ts";
import * as rates from "#shop/rates/service.ts";
import { staffRead, type StaffEndpoint } from "../endpoint.ts";

export const rateEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readRates, async (ctx) => {
    const [shown, market] = await Promise.all([rates.shown(ctx), rates.market(ctx)]);
    if (!shown) return done({ metals: null, isOpen: market.isOpen });
    const { XAU_RUB: gold, XAG_RUB: silver } = shown.rates;
    const metals = { gold: { value: gold.value, diff: gold.diff }, silver: { value: silver.value, diff: silver.diff } };
    return done({ metals: { ...metals, at: isoMoscow(shown.time), isStale: shown.stale }, isOpen: market.isOpen });
  }),
];
