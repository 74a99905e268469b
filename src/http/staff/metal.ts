import type * as z from "zod";
import * as contract from "#contract/staff/metal.ts";
import { fromRoubles, kopecks, toRoubles, type Kopecks } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { metalValue, type Exposure, type Hedge } from "#shop/metal/metal.ts";
import * as metal from "#shop/metal/service.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import { staffChange, staffRead, type StaffEndpoint } from "./endpoint.ts";
import { actorName } from "./money-views.ts";
import { rateOf } from "./stock-views.ts";
import { isoOrNull } from "./views.ts";

const pageSize = 50;
const locksShown = 30;
const readId = (cursor: string | undefined): number | null => (/^\d{1,15}$/.test(cursor ?? "") ? Number(cursor) : null);
const roublesOrNull = (sum: Kopecks | null): number | null => (sum === null ? null : toRoubles(sum));

type MetalView = z.input<(typeof contract.readExposure)["answer"]>["metals"][number];

function exposureView({ settings }: Ctx, list: PriceList, exposure: Exposure): MetalView {
  const { openGoldGrams, openSilverGrams } = settings.limits;
  const rateE4 = rateOf(list, exposure.metal);
  const open = metalValue(exposure.openMg, rateE4);
  const limitMg = (exposure.metal === "gold" ? openGoldGrams : openSilverGrams) * 1_000;
  return {
    ...exposure,
    rate: rateE4 === 0 ? null : rateE4 / 10_000,
    openValue: roublesOrNull(open),
    onePercent: open === null ? null : toRoubles(kopecks(Math.round(open / 100))),
    limitMg,
    isBeyond: limitMg > 0 && Math.abs(exposure.openMg) > limitMg,
  };
}

const hedgeView = ({ price, createdAt, createdBy, reversedAt, reversedBy, ...hedge }: Hedge) => ({
  ...hedge,
  price: toRoubles(price),
  createdAt: isoMoscow(createdAt),
  createdBy: actorName(createdBy),
  reversedAt: isoOrNull(reversedAt),
  reversedBy: reversedBy && actorName(reversedBy),
});

/** The metal open to the market, and hedges. */
export const metalEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readExposure, async (ctx) => {
    const list = await pricing.current(ctx);
    const exposures = await metal.exposure(ctx);
    const locks = await metal.priceLocks(ctx, locksShown);
    return done({
      at: isoMoscow(ctx.now()),
      ratesAt: list.version === 0 ? null : isoMoscow(list.ratesAt),
      isStale: list.isStale,
      metals: exposures.map((each) => exposureView(ctx, list, each)),
      locks: locks.map(({ since, until, ...lock }) => ({ ...lock, since: isoMoscow(since), until: isoMoscow(until) })),
    });
  }),
  staffRead(contract.readHedges, async (ctx, { query: { cursor } }) => {
    const rows = await metal.hedges(ctx, { before: readId(cursor), limit: pageSize + 1 });
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    return done({ items: shown.map(hedgeView), next: last ? String(last.id) : null });
  }),
  staffChange(contract.addHedge, {
    change: async (ctx, { body, audit }) => {
      const added = await metal.addHedge(ctx, { ...body, price: fromRoubles(body.price) });
      audit({ subject: `hedge:${added.id}`, after: body });
      return done(hedgeView(added));
    },
  }),
  staffChange(contract.reverseHedge, {
    change: async (ctx, { params: { id }, body: { reason }, audit }) => {
      const reversed = await metal.reverseHedge(ctx, id, reason);
      if (!reversed.ok) return fail({ code: "staff.not_found" as const });
      audit({ subject: `hedge:${id}`, after: { reason } });
      return done(true as const);
    },
  }),
];
