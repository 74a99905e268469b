import type * as z from "zod";
import * as contract from "#contract/staff/prices/price-promos.ts";
import { dayAndTime } from "#kit/format.ts";
import { roublesOrNull } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { Promo, PricePromoError } from "#shop/pricing/promos/promo.ts";
import * as promos from "#shop/pricing/promos/service.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import { pageOf, readNumberCursor, viewPage } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { namedIn, nameOrNull } from "../names.ts";
import { pricesShown, readPrices } from "./prices.ts";
import { isoOrNull } from "../views.ts";

const pageSize = 50;
const itemPageSize = 500;

const view = (promo: Promo, named: Named) => ({
  ...promo,
  startsAt: isoMoscow(promo.startsAt),
  endsAt: isoMoscow(promo.endsAt),
  startedAt: isoOrNull(promo.startedAt),
  endedAt: isoOrNull(promo.endedAt),
  createdAt: isoMoscow(promo.createdAt),
  createdBy: named(promo.createdBy).name,
  closedBy: nameOrNull(named, promo.closedBy),
});
const viewWithNames = async (ctx: Ctx, promo: Promo) => view(promo, await namedIn(ctx, [promo.createdBy, promo.closedBy]));

type Body = z.output<(typeof contract.createPricePromo)["body"]>;
const promoOf = ({ action, coins, label, startsAt, endsAt }: Body): promos.NewPromo => ({
  action,
  coins: coins.map(({ id, seen }) => ({ coinId: id, seen: readPrices(seen) })),
  label,
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
});

function refusalOf(error: PricePromoError): StaffRefusal {
  switch (error.code) {
    case "price_promo.not_found":
      return { code: "staff.not_found" };
    case "price_promo.past":
      return { code: "request.invalid", fields: { endsAt: "Это время уже прошло" } };
    case "price_promo.too_long":
      return { code: "request.invalid", fields: { endsAt: `Акция может длиться не больше ${error.days} дней` } };
    case "price_promo.overlaps": {
      const { titles, label, from, till } = error;
      const named = titles.slice(0, 3).join(", ") + (titles.length > 3 ? ` и ещё ${titles.length - 3}` : "");
      const found = `Уже есть акция «${label}» с ${dayAndTime(from)} до ${dayAndTime(till)}: ${named}`;
      return { code: "price_promo.overlaps", fields: { startsAt: `${found}. Уберите эти монеты или измените сроки` } };
    }
    default:
      return { code: error.code };
  }
}

export const pricePromoEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readPricePromos, async (ctx, { query: { cursor } }) => {
    const found = await promos.list(ctx.db, { before: readNumberCursor(cursor), limit: pageSize + 1 });
    const named = await namedIn(
      ctx,
      found.flatMap(({ createdBy, closedBy }) => [createdBy, closedBy]),
    );
    return done(
      viewPage(
        pageSize,
        found,
        (promo) => view(promo, named),
        ({ id }) => id,
      ),
    );
  }),
  staffRead(contract.readPricePromo, async (ctx, { params: { id }, query: { cursor } }) => {
    const found = await promos.read(ctx.db, id, { after: readNumberCursor(cursor) ?? 0, limit: itemPageSize + 1 });
    if (!found) return fail({ code: "staff.not_found" });
    const { items, next } = pageOf(itemPageSize, found.items, ({ coinId }) => coinId);
    return done({
      promo: await viewWithNames(ctx, found.promo),
      items: items.map(({ fixedPriceKopecks, fixedPriceBefore, settled, ...item }) => ({
        ...item,
        fixedPriceBefore: roublesOrNull(fixedPriceBefore),
        fixedPrice: roublesOrNull(fixedPriceKopecks),
        settled: roublesOrNull(settled),
      })),
      next,
    });
  }),
  staffChange(contract.createPricePromo, {
    approval: (ctx, { body }) => promos.reasonFor(ctx, promoOf(body)),
    shown: async (ctx, { body }) => {
      const { label, startsAt, endsAt } = body;
      const prices = pricesShown(await promos.preview(ctx, promoOf(body)));
      return { before: prices.before, after: { label, startsAt, endsAt, ...prices.after } };
    },
    change: async (ctx, { body, audit }) => {
      const made = await promos.create(ctx, promoOf(body));
      if (!made.ok) return fail(refusalOf(made.error));
      const { id, state, coins, crossedOut } = made.value;
      const { action, label, startsAt, endsAt } = body;
      audit({ subject: `price-promo:${id}`, after: { action, label, startsAt, endsAt, state, coins, crossedOut } });
      return done(await viewWithNames(ctx, made.value));
    },
  }),
  staffChange(contract.stopPricePromo, {
    change: async (ctx, { params: { id }, audit }) => {
      const stopped = await promos.stop(ctx, id);
      if (!stopped.ok) return fail(refusalOf(stopped.error));
      const { state, startedAt, endedAt } = stopped.value;
      audit({
        subject: `price-promo:${id}`,
        before: { state: startedAt === null ? "scheduled" : "running" },
        after: { state, endedAt: isoOrNull(endedAt) },
      });
      return done(await viewWithNames(ctx, stopped.value));
    },
  }),
];
