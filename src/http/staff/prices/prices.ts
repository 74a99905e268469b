import * as z from "zod";
import * as contract from "#contract/staff/prices/prices.ts";
import type { StaffCode } from "#contract/staff/problems.ts";
import { percent, priceText } from "#kit/format.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { fromRoubles, kopecks, roublesOrNull, toRoubles } from "#kit/money.ts";
import { done, fail } from "#kit/result.ts";
import type { AuditEntry } from "#shop/audit/audit.ts";
import * as auditing from "#shop/audit/service.ts";
import type { CoinPrices } from "#shop/catalog/prices/prices.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import type { PriceChange, PriceChangeItem, PriceRow } from "#shop/pricing/changes/price-change.ts";
import type { Ctx } from "#shop/context.ts";
import type { BulkChange, PriceChangeError } from "#shop/pricing/changes/service.ts";
import * as changes from "#shop/pricing/changes/service.ts";
import type { ShownChange } from "#shop/staff/approvals/approval.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import * as steps from "#shop/pricing/steps/service.ts";
import type { StepScope, StepSet } from "#shop/pricing/steps/steps.ts";
import { readNumberCursor, viewPage } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { namedIn } from "../names.ts";
import { isoOrNull } from "../views.ts";

const pageSize = 50;
const itemPageSize = 500;

const pricesView = ({ premiumBp, buybackBp, fixedPriceKopecks, fixedBuybackKopecks }: CoinPrices) => ({
  premiumBp,
  buybackBp,
  fixedPrice: roublesOrNull(fixedPriceKopecks),
  fixedBuyback: roublesOrNull(fixedBuybackKopecks),
});
export const readPrices = ({ premiumBp, buybackBp, fixedPrice, fixedBuyback }: ReturnType<typeof pricesView>): CoinPrices => ({
  premiumBp,
  buybackBp,
  fixedPriceKopecks: fixedPrice === null ? null : fromRoubles(fixedPrice),
  fixedBuybackKopecks: fixedBuyback === null ? null : fromRoubles(fixedBuyback),
});

const rowView = (row: PriceRow) => ({
  ...row,
  before: pricesView(row.before),
  after: pricesView(row.after),
  priceBefore: roublesOrNull(row.priceBefore),
  priceAfter: roublesOrNull(row.priceAfter),
  buybackAfter: roublesOrNull(row.buybackAfter),
  margin: roublesOrNull(row.margin),
  perGram: roublesOrNull(row.perGram),
});

const changeView = (change: PriceChange, named: Named) => ({
  ...change,
  createdAt: isoMoscow(change.createdAt),
  createdBy: named(change.createdBy).name,
  dueAt: isoOrNull(change.dueAt),
  appliedAt: isoOrNull(change.appliedAt),
});
const viewWithName = async (ctx: Ctx, change: PriceChange) => changeView(change, await namedIn(ctx, [change.createdBy]));
const authorsOf = (list: readonly PriceChange[]): string[] => list.map(({ createdBy }) => createdBy);

const itemView = ({ coinId, title, before, after, outcome }: PriceChangeItem) => ({
  coinId,
  title,
  before: pricesView(before),
  after: pricesView(after),
  outcome,
});

function refusalOf(error: PriceChangeError): StaffRefusal & { code: Exclude<StaffCode, "request.invalid"> } {
  return { code: error.code === "price_change.not_found" ? "staff.not_found" : error.code };
}

type ChangeBody = z.output<(typeof contract.changePrices)["body"]>;
const bulkOf = ({ action, coins, label, dueAt }: ChangeBody): BulkChange => ({
  action,
  coins: coins.map(({ id, seen }) => ({ coinId: id, seen: readPrices(seen) })),
  label,
  dueAt: dueAt === null ? null : new Date(dueAt),
});

export const priceEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readPriceFilters, async (ctx) => {
    const { priceApprovalPremiumBp: premiumBp, priceApprovalCoins: coins } = ctx.settings.limits;
    return done({ ...(await catalog.facets(ctx.db)), limits: { premiumBp, coins } });
  }),
  staffRead(contract.previewPrices, async (ctx, { query: { action, inStock, ...filter } }) => {
    const { rows, summary, list } = await changes.preview(ctx, { ...filter, isInStock: inStock === "1" }, action ?? null);
    return done({
      rows: rows.map(rowView),
      rates: { version: list.version, gold: list.goldE4 / 10_000, silver: list.silverE4 / 10_000, isDead: list.isDead },
      summary: { ...summary, shelf: toRoubles(summary.shelf) },
    });
  }),
  staffChange(contract.changePrices, {
    approval: (ctx, { body }) => changes.reasonForBulk(ctx, bulkOf(body)),
    shown: async (ctx, { body: { action, coins } }) => {
      const { rows } = await changes.preview(ctx, { ids: coins.map(({ id }) => id) }, action);
      return pricesShown(rows.map((row) => ({ ...row, coinId: row.id })));
    },
    change: async (ctx, { body, audit }) => {
      const made = await changes.change(ctx, bulkOf(body));
      if (!made.ok) return fail(refusalOf(made.error));
      const { id, state, changed, stale, dueAt } = made.value;
      audit({
        subject: `price-change:${id}`,
        after: { action: body.action, label: body.label, state, changed, stale, dueAt: isoOrNull(dueAt) },
      });
      return done(await viewWithName(ctx, made.value));
    },
  }),
  staffRead(contract.readPriceChanges, async (ctx, { query: { cursor, part } }) => {
    const isScheduled = part === "scheduled";
    const found = isScheduled
      ? await changes.scheduled(ctx.db)
      : await changes.list(ctx.db, { before: readNumberCursor(cursor), limit: pageSize + 1 });
    const named = await namedIn(ctx, authorsOf(found));
    const view = (change: PriceChange) => changeView(change, named);
    return done(isScheduled ? { items: found.map(view), next: null } : viewPage(pageSize, found, view, ({ id }) => id));
  }),
  staffRead(contract.readPriceChange, async (ctx, { params: { id }, query: { cursor } }) => {
    const found = await changes.read(ctx.db, id, { after: readNumberCursor(cursor) ?? 0, limit: itemPageSize + 1 });
    if (!found) return fail({ code: "staff.not_found" });
    return done({
      change: await viewWithName(ctx, found.change),
      ...viewPage(itemPageSize, found.items, itemView, ({ coinId }) => coinId),
    });
  }),
  staffChange(contract.cancelPriceChange, {
    change: async (ctx, { params: { id }, audit }) => {
      const cancelled = await changes.cancel(ctx, id);
      if (!cancelled.ok) return fail(refusalOf(cancelled.error));
      audit({ subject: `price-change:${id}`, before: { state: "scheduled" }, after: { state: cancelled.value.state } });
      return done(await viewWithName(ctx, cancelled.value));
    },
  }),
  staffChange(contract.undoPriceChange, {
    approval: (ctx, { params: { id } }) => changes.reasonForUndo(ctx, id),
    shown: async (ctx, { params: { id } }) => {
      const found = await changes.read(ctx.db, id, { after: 0, limit: coinsShown + 1 });
      const items = (found?.items ?? []).filter(({ outcome }) => outcome === "changed");
      return pricesShown(items.map(({ before, after, ...item }) => ({ ...item, before: after, after: before })));
    },
    change: async (ctx, { params: { id }, audit }) => {
      const undone = await changes.undo(ctx, id);
      if (!undone.ok) return fail(refusalOf(undone.error));
      const { id: undoing, changed, stale } = undone.value;
      audit({ subject: `price-change:${undoing}`, after: { undoes: id, changed, stale } });
      return done(await viewWithName(ctx, undone.value));
    },
  }),
  staffRead(contract.readPriceSteps, async (ctx) => done(await stepsViews(ctx, await steps.list(ctx.db)))),
  staffRead(contract.readFormerPriceSteps, async (ctx, { query }) => {
    const scope = query.metal === undefined ? { coinId: query.coinId ?? 0 } : { metal: query.metal };
    const filter = { actor: null, subject: steps.subjectOf(scope), action: "price.steps", from: null, till: null };
    const entries = await auditing.list(ctx.db, filter, { before: null, limit: stepChangesRead });
    const named = await namedIn(
      ctx,
      entries.map(({ actor }) => actor),
    );
    return done({ items: formerSteps(entries, named) });
  }),
  staffChange(contract.savePriceSteps, {
    check: async (ctx, { body }) => {
      const checked = await steps.check(ctx.db, body);
      return checked.ok ? checked : fail(stepsRefusal(checked.error));
    },
    approval: (ctx, { body }) => steps.reasonForSteps(ctx, body),
    shown: async (ctx, { body: { scope, steps: wanted } }) => {
      const of = await nameOfScope(ctx, scope);
      const now = await steps.ofScope(ctx.db, scope);
      return { before: { Чьи: of, Ступени: stepsText(now) }, after: { Чьи: of, Ступени: stepsText(wanted) } };
    },
    change: async (ctx, { body, audit }) => {
      const saved = await steps.save(ctx, body);
      if (!saved.ok) return fail(stepsRefusal(saved.error));
      const { sets, before } = saved.value;
      audit({ subject: steps.subjectOf(body.scope), before: { steps: before }, after: { steps: body.steps } });
      return done(await stepsViews(ctx, sets));
    },
  }),
];

const stepChangesRead = 50;
const storedSteps = z.object({ steps: z.array(z.object({ quantity: z.int(), discountBp: z.int() })).nullable() });

/** The steps before each of these changes, which come newest first. */
const formerSteps = (entries: readonly AuditEntry[], named: Named) =>
  entries.flatMap(({ id, at, actor, before }, index) => {
    // Entries of earlier releases name only what was saved; the steps before them are those that the previous change saved.
    const stood = storedSteps.safeParse(before ?? entries[index + 1]?.after).data;
    return stood ? [{ entry: id, replacedAt: isoMoscow(at), replacedBy: named(actor).name, steps: stood.steps }] : [];
  });

async function nameOfScope(ctx: Ctx, scope: StepScope): Promise<string> {
  if ("metal" in scope) return scope.metal === "gold" ? "золотые монеты" : "серебряные монеты";
  const [coin] = await catalog.pricedCoins(ctx.db, { ids: [scope.coinId] });
  return coin ? nameOfCoin({ title: coin.title, coinId: coin.id }) : `артикул ${scope.coinId}`;
}

const stepsText = (list: readonly { quantity: number; discountBp: number }[] | null | undefined): string =>
  (list ?? []).map(({ quantity, discountBp }) => `от ${quantity} шт. −${percent(discountBp)} п. п.`).join("; ") || "нет";

/** Coins that an approval names; it says how many more there are. */
const coinsShown = 50;

type CoinChange = { coinId: number; title: string; before: CoinPrices; after: CoinPrices };

/** The prices of each coin before and after, for the person who approves. */
export function pricesShown(list: readonly CoinChange[]): ShownChange {
  const texts = (side: "before" | "after") =>
    Object.fromEntries(list.slice(0, coinsShown).map((each) => [nameOfCoin(each), ratesText(each[side])]));
  const more = list.length > coinsShown ? { "Ещё монет": list.length - coinsShown } : {};
  return { before: texts("before"), after: { ...texts("after"), ...more } };
}
const nameOfCoin = ({ title, coinId }: Pick<CoinChange, "title" | "coinId">): string => `${title}, артикул ${coinId}`;

const ratesText = ({ premiumBp, buybackBp, fixedPriceKopecks: price, fixedBuybackKopecks: buyback }: CoinPrices): string =>
  price === null
    ? `премия ${percent(premiumBp)} %, ${buybackBp === null ? "без выкупа" : `выкуп ${percent(buybackBp)} %`}`
    : `${priceText(kopecks(price))}, ${buyback === null ? "без выкупа" : `выкуп ${priceText(kopecks(buyback))}`}`;

async function stepsViews(ctx: Ctx, sets: readonly StepSet[]) {
  const named = await namedIn(
    ctx,
    sets.map(({ updatedBy }) => updatedBy),
  );
  return sets.map((set) => ({ ...set, updatedAt: isoMoscow(set.updatedAt), updatedBy: named(set.updatedBy).name }));
}

function stepsRefusal(error: steps.StepsError): StaffRefusal {
  if (error.code === "price_steps.stale") return { code: "staff.stale" };
  if (error.code === "price_steps.coin")
    return { code: "request.invalid", fields: { "scope.coinId": "Ступени есть только у инвестиционных монет" } };
  const { index, field, message } = error.fault;
  return { code: "request.invalid", fields: { [`steps.${index}.${field}`]: message } };
}
