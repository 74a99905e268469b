import type * as z from "zod";
import * as contract from "#contract/staff/prices/metal.ts";
import { fromRoubles, kopecks, roublesOrNull, toRoubles } from "#kit/money.ts";
import { isoMoscow, moscow } from "#kit/moscow-time.ts";
import { done, fail } from "#kit/result.ts";
import { writeTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import { tableTypes, type Cell } from "#kit/documents/spreadsheet/table.ts";
import type { Ctx } from "#shop/context.ts";
import { isBeyondLimit, metalValue, openLimitMg, type Exposure, type Hedge } from "#shop/metal/metal.ts";
import * as metal from "#shop/metal/service.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import { readNumberCursor, viewPage } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { namedIn, nameOrNull } from "../names.ts";
import { rateOf } from "../stock/stock-views.ts";
import { isoOrNull } from "../views.ts";

const pageSize = 50;
const locksShown = 30;

type MetalView = z.input<(typeof contract.readExposure)["answer"]>["metals"][number];

function exposureView({ settings }: Ctx, list: PriceList, exposure: Exposure): MetalView {
  const rateE4 = rateOf(list, exposure.metal);
  const open = metalValue(exposure.openMg, rateE4);
  return {
    ...exposure,
    rate: rateE4 === 0 ? null : rateE4 / 10_000,
    openValue: roublesOrNull(open),
    onePercent: open === null ? null : toRoubles(kopecks(Math.round(open / 100))),
    limitMg: openLimitMg(exposure.metal, settings.limits),
    isBeyond: isBeyondLimit(exposure, settings.limits),
  };
}

const exposureHead = [
  "Металл",
  "На складе, г",
  "Монет",
  "Продано с ценой, г",
  "Заказов",
  "Выкуплено, г",
  "Сделок",
  "Закрыто хеджами, г",
  "Хеджей",
  "Открыто, г",
  "Предел, г",
  "Курс, ₽/г",
  "Открыто, ₽",
  "1 % курса, ₽",
];
const inGrams = (mg: number): number => mg / 1_000;
const exposureCells = (view: MetalView): Cell[] => [
  view.metal === "gold" ? "Золото" : "Серебро",
  inGrams(view.onHandMg),
  view.pieces,
  inGrams(view.lockedMg),
  view.lockedOrders,
  inGrams(view.boughtMg),
  view.deals,
  inGrams(view.hedgedMg),
  view.hedges,
  inGrams(view.openMg),
  view.limitMg === 0 ? null : inGrams(view.limitMg),
  view.rate,
  view.openValue,
  view.onePercent,
];

const hedgeView = ({ price, createdAt, createdBy, reversedAt, reversedBy, ...hedge }: Hedge, named: Named) => ({
  ...hedge,
  price: toRoubles(price),
  createdAt: isoMoscow(createdAt),
  createdBy: named(createdBy).name,
  reversedAt: isoOrNull(reversedAt),
  reversedBy: nameOrNull(named, reversedBy),
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
  staffRead(contract.downloadExposure, async (ctx, { query: { format } }) => {
    const list = await pricing.current(ctx);
    const rows = (await metal.exposure(ctx)).map((each) => exposureCells(exposureView(ctx, list, each)));
    const at = isoMoscow(ctx.now());
    const bytes = await writeTable(format, { name: "Открытый металл", head: exposureHead, rows });
    return done({
      type: tableTypes[format],
      name: `Открытый металл ${at.slice(0, 16).replace("T", " ").replace(":", "-")}.${format}`,
      bytes,
    });
  }),
  staffRead(contract.readHedges, async (ctx, { query: { cursor } }) => {
    const rows = await metal.hedges(ctx, { before: readNumberCursor(cursor), limit: pageSize + 1 });
    const named = await namedIn(
      ctx,
      rows.flatMap(({ createdBy, reversedBy }) => [createdBy, reversedBy]),
    );
    return done(
      viewPage(
        pageSize,
        rows,
        (hedge) => hedgeView(hedge, named),
        ({ id }) => id,
      ),
    );
  }),
  staffChange(contract.addHedge, {
    change: async (ctx, { body, audit }) => {
      if (body.agreedOn > moscow(ctx.now()).date)
        return fail({ code: "request.invalid" as const, fields: { agreedOn: "Этот день ещё не наступил" } });
      const added = await metal.addHedge(ctx, { ...body, price: fromRoubles(body.price) });
      audit({ subject: `hedge:${added.id}`, after: body });
      return done(hedgeView(added, await namedIn(ctx, [added.createdBy])));
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
