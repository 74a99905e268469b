import { counted, coinForms } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import * as audit from "#shop/audit/service.ts";
import { wasShown, type Coin } from "#shop/catalog/coin.ts";
import { changesOf } from "#shop/catalog/editing/coin-versions.ts";
import type { CoinFacts, FirstPrices } from "#shop/catalog/coin-rules.ts";
import type { CoinPrices } from "#shop/catalog/prices/prices.ts";
import { factFields, usualPurchaseLimit, type PurchaseLimits } from "#shop/catalog/coin-rules.ts";
import { problemText } from "#shop/catalog/coin-texts.ru.ts";
import * as catalogPrices from "#shop/catalog/prices/service.ts";
import * as editing from "#shop/catalog/editing/edit.service.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { isAtMetalOrBelow, isPlausible, type FactsChange } from "#shop/pricing/changes/price-change.ts";
import * as priceChanges from "#shop/pricing/changes/service.ts";
import { priceOf, regular, type PricedCoin, type PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import type { DocumentError, DocumentLine } from "#shop/stock/documents/document.ts";
import * as stock from "#shop/stock/service.ts";
import type { ColumnValue } from "../columns/column.ts";
import { addFault, type ComparedCoin } from "./compare.ts";
import type { CheckedRow, Import, ImportError, ImportKind, ImportResult } from "./import.ts";

/**
 * What the tables of one kind are about. `review` adds what the rules of the owner say to rows that change something; it may also find that
 * a row changes nothing. `apply` writes through the owner's service, in the transaction of `ctx.db`.
 */
type Kind = {
  allowsNew: boolean;
  /** The coins with these articles, as the table shows them; absent ids: all coins. */
  load(ctx: Ctx, ids?: readonly number[]): Promise<Map<number, ComparedCoin>>;
  review(ctx: Ctx, rows: readonly CheckedRow[], subjects: ReadonlyMap<number, ComparedCoin>): Promise<void>;
  /** Why a second person must approve; null: not needed. */
  approvalReason(ctx: Ctx, rows: readonly CheckedRow[], subjects: ReadonlyMap<number, ComparedCoin>): Promise<string | null>;
  apply(
    ctx: Ctx,
    made: Import,
    rows: readonly CheckedRow[],
    subjects: ReadonlyMap<number, ComparedCoin>,
  ): Promise<Result<ImportResult, ImportError>>;
};

const coinIds = (rows: readonly CheckedRow[]): number[] => rows.flatMap(({ coinId }) => coinId ?? []);
const changesSomething = ({ outcome }: CheckedRow): boolean => outcome === "new" || outcome === "changed";
const refused = (message: string) => fail({ code: "exchange.refused" as const, message });
const numberOr = (value: ColumnValue | undefined): number | null => (typeof value === "number" ? value : null);

async function coinsWith(ctx: Ctx, ids: readonly number[] | undefined): Promise<Coin[]> {
  const wanted = ids ?? (await catalogPrices.pricedCoins(ctx.db, {})).map(({ id }) => id);
  return catalog.coinsByIds(ctx.db, wanted);
}

const subjectsOf = (coins: readonly Coin[], values: (coin: Coin) => Record<string, ColumnValue>): Map<number, ComparedCoin> =>
  new Map(coins.map((coin) => [coin.id, { id: coin.id, title: coin.title, revision: coin.revision, values: values(coin) }]));

/* Facts of coins */

const coinKind: Kind = {
  allowsNew: true,
  load: async (ctx, ids) =>
    subjectsOf(await coinsWith(ctx, ids), (coin) => ({
      ...(Object.fromEntries(factFields.map((field) => [field, coin[field]])) as Record<string, ColumnValue>),
      id: coin.id,
      premiumBp: coin.premiumBp,
      buybackBp: coin.buybackBp,
      fixedPriceKopecks: coin.fixedPriceKopecks,
      fixedBuybackKopecks: coin.fixedBuybackKopecks,
      isPublished: coin.isPublished,
      wasShown: wasShown(coin),
    })),

  async review(ctx, rows, subjects) {
    const changing = rows.filter(changesSomething);
    const plans = await editing.planCoins(
      ctx,
      changing.map((row) => coinRow(row, subjects)),
    );
    for (const [index, plan] of plans.entries()) {
      const row = changing[index];
      if (!row) continue;
      if (plan.kind === "same") row.outcome = "unchanged";
      else addPlanFaults(row, plan);
    }
    const list = regular(await pricing.current(ctx));
    for (const row of rows.filter(({ outcome }) => outcome === "new")) {
      reviewFirstPrices(row, newCoin(row), list);
      limitPurchase(row, newCoin(row), list, ctx.settings.limits);
    }
  },

  async approvalReason(ctx, rows, subjects) {
    const added = rows.filter(({ outcome }) => outcome === "new").map(newCoin);
    const reasons = [
      await priceChanges.reasonForNewCoins(ctx, added),
      await priceChanges.reasonForFacts(ctx, factsChanges(rows, subjects)),
    ].filter((reason) => reason !== null);
    return reasons.length > 0 ? reasons.join("; ") : null;
  },

  async apply(ctx, _, rows, subjects) {
    await priceChanges.lockForFacts(ctx);
    const saved = await editing.saveCoins(
      ctx.db,
      ctx,
      rows.map((row) => coinRow(row, subjects)),
    );
    if (!saved.ok) return refused("Монеты тем временем изменились так, что строки больше не подходят. Проверьте файл ещё раз");
    await audit.recordAll(
      ctx.db,
      ctx,
      "coin.import",
      saved.value.flatMap((plan) =>
        plan.kind === "add"
          ? [{ subject: `coin:${plan.after.id}`, ...changesOf(null, plan.after) }]
          : plan.kind === "change"
            ? [{ subject: `coin:${plan.after.id}`, ...changesOf(plan.before, plan.after) }]
            : [],
      ),
    );
    await priceChanges.showFacts(
      ctx,
      saved.value.flatMap((plan) =>
        plan.kind === "change" ? [{ before: plan.before, after: plan.after, wasShown: wasShown(plan.before) }] : [],
      ),
    );
    const countOf = (kind: string): number => saved.value.filter((plan) => plan.kind === kind).length;
    const addedIds = saved.value.flatMap((plan) => (plan.kind === "add" ? [plan.after.id] : []));
    return done({ added: countOf("add"), changed: countOf("change"), ...(addedIds.length > 0 ? { addedIds } : {}) });
  },
};

/** Says why the catalogue would not save a row. */
export function addPlanFaults(row: CheckedRow, plan: editing.CoinPlan): void {
  if (plan.kind === "refused") for (const problem of plan.problems) addFault(row, problem.field, problemText(problem));
  else if (plan.kind === "duplicate") {
    const { id, title } = plan.duplicate;
    addFault(row, null, `Такая монета уже есть: «${title}», артикул ${id}`);
  } else if (plan.kind === "missing") addFault(row, "id", "Монеты с таким артикулом в магазине нет");
}

/** A row as the catalogue saves it: what the file does not have stays. */
export function coinRow(row: CheckedRow, subjects: ReadonlyMap<number, ComparedCoin>): editing.CoinRow {
  const subject = row.coinId === null ? undefined : subjects.get(row.coinId);
  const values = { ...subject?.values, ...row.values };
  const facts = Object.fromEntries(factFields.map((field) => [field, values[field] ?? (field === "motif" ? "" : null)]));
  const prices: FirstPrices | null = subject ? null : { ...pricesOf(values), premiumBp: numberOr(values["premiumBp"]) };
  return { id: row.coinId, revision: row.revision, facts: facts as CoinFacts, prices };
}

/** What the price of a coin is computed from: its metal, kind and pure mass, and its prices. */
const pricedCoin = (values: Readonly<Record<string, ColumnValue>>): PricedCoin => ({
  metal: values["metal"] === "gold" ? "gold" : "silver",
  kind: values["kind"] === "bullion" ? "bullion" : "memorable",
  pureMassMg: numberOr(values["pureMassMg"]) ?? 0,
  ...pricesOf(values),
});
const newCoin = ({ values }: CheckedRow): PricedCoin => pricedCoin(values);

const factsChanges = (rows: readonly CheckedRow[], subjects: ReadonlyMap<number, ComparedCoin>): FactsChange[] =>
  rows.flatMap(({ coinId, values }) => {
    const subject = coinId === null ? undefined : subjects.get(coinId);
    if (!subject) return [];
    const after = pricedCoin({ ...subject.values, ...values, ...pricesOf(subject.values) });
    return [{ before: pricedCoin(subject.values), after, wasShown: subject.values["wasShown"] === true }];
  });

/** The rules of the price table for the first prices of a new coin: a slip is refused, a price at the metal or below it is said. */
function reviewFirstPrices(row: CheckedRow, coin: PricedCoin, list: PriceList): void {
  if (!isPlausible(coin)) addFault(row, null, "Премия, выкуп или цена вне допустимых границ: похоже на опечатку");
  else if (isAtMetalOrBelow(coin, list)) row.messages.push({ column: null, message: "Цена не выше стоимости металла", isError: false });
}

/** Gives an expensive new coin the purchase limit of the settings when its row has none, so that the check of the file shows it. */
function limitPurchase(row: CheckedRow, coin: PricedCoin, list: PriceList, limits: PurchaseLimits): void {
  const { price } = priceOf(coin, list);
  const limit = price === null ? null : usualPurchaseLimit(price, limits);
  if (limit === null || numberOr(row.values["purchaseLimit"]) !== null) return;
  row.values["purchaseLimit"] = limit;
  row.changes.push({ column: "purchaseLimit", before: "", after: String(limit) });
}

/* Prices */

const pricesOf = (values: Readonly<Record<string, ColumnValue>>): CoinPrices => ({
  premiumBp: numberOr(values["premiumBp"]) ?? 0,
  buybackBp: numberOr(values["buybackBp"]),
  fixedPriceKopecks: numberOr(values["fixedPriceKopecks"]),
  fixedBuybackKopecks: numberOr(values["fixedBuybackKopecks"]),
});

const givenPrices = (rows: readonly CheckedRow[], subjects: ReadonlyMap<number, ComparedCoin>): priceChanges.GivenPrices[] =>
  rows.flatMap(({ coinId, values }) => {
    const subject = coinId === null ? undefined : subjects.get(coinId);
    return subject ? [{ coinId: subject.id, ...pricesOf({ ...subject.values, ...values }) }] : [];
  });

const priceKind: Kind = {
  allowsNew: false,
  async load(ctx, ids) {
    const [coins, list] = [await coinsWith(ctx, ids), regular(await pricing.current(ctx))];
    return subjectsOf(coins, (coin) => {
      const { price, buyback } = priceOf(coin, list);
      const { id, title, metal, kind, pureMassMg } = coin;
      return { id, title, metal, kind, pureMassMg, price, buyback, ...pricesOf(coin as unknown as Record<string, ColumnValue>) };
    });
  },

  async review(ctx, rows, subjects) {
    const list = regular(await pricing.current(ctx));
    for (const row of rows.filter(changesSomething)) {
      const subject = row.coinId === null ? undefined : subjects.get(row.coinId);
      if (!subject) continue;
      const kind = subject.values["kind"] === "bullion" ? ("bullion" as const) : ("memorable" as const);
      const metal = subject.values["metal"] === "gold" ? ("gold" as const) : ("silver" as const);
      const after = pricesOf({ ...subject.values, ...row.values });
      if (kind === "bullion" && (row.values["fixedPriceKopecks"] ?? row.values["fixedBuybackKopecks"]) != null)
        addFault(row, "fixedPriceKopecks", "Цена инвестиционной монеты следует за металлом: меняйте премию и выкуп");
      if (kind === "memorable" && after.fixedPriceKopecks === null)
        addFault(row, "fixedPriceKopecks", "У памятной монеты должна быть цена");
      if (!isPlausible(after)) addFault(row, null, "Премия, выкуп или цена вне допустимых границ: похоже на опечатку");
      const { price, buyback, premium } = priceOf({ ...after, kind, metal, pureMassMg: numberOr(subject.values["pureMassMg"]) ?? 0 }, list);
      if (price !== null && buyback !== null && buyback >= price) addFault(row, "buybackBp", "Выкуп не ниже цены продажи");
      if (premium !== null && premium.amount < 0)
        row.messages.push({ column: null, message: "Цена ниже стоимости металла", isError: false });
    }
  },

  approvalReason: (ctx, rows, subjects) => priceChanges.reasonForValues(ctx, givenPrices(rows, subjects)),

  async apply(ctx, made, rows, subjects) {
    const change = await priceChanges.setPrices(ctx, givenPrices(rows, subjects), `Импорт ${made.id}: ${made.fileName}`);
    if (!change || change.changed !== rows.length) return refused("Цены тем временем изменились. Проверьте файл ещё раз");
    return done({ changed: change.changed, priceChange: change.id });
  },
};

/* Stock */

const stockKind: Kind = {
  allowsNew: false,
  async load(ctx, ids) {
    const coins = await coinsWith(ctx, ids);
    const wanted = coins.map(({ id }) => id);
    const pieces = wanted.length === 0 ? new Map<number, number>() : await stock.onHand(ctx.db, wanted);
    const free = await stock.available(ctx.db, wanted);
    return subjectsOf(coins, ({ id, title, metal }) => {
      const [onHand, available] = [pieces.get(id) ?? 0, free.get(id) ?? 0];
      return { id, title, metal, onHand, available, received: null, unitCost: null, counted: null };
    });
  },

  async review(_, rows, subjects) {
    for (const row of rows.filter(changesSomething)) {
      const subject = row.coinId === null ? undefined : subjects.get(row.coinId);
      const onHand = numberOr(subject?.values["onHand"]) ?? 0;
      const reserved = onHand - (numberOr(subject?.values["available"]) ?? 0);
      const { received, unitCost, counted: pieces } = row.values;
      if (received !== undefined && pieces !== undefined) addFault(row, "counted", "В одной строке либо приёмка, либо пересчёт");
      if (unitCost !== undefined && received === undefined) addFault(row, "unitCost", "Закупочная цена указана без принятых штук");
      if (typeof pieces === "number") {
        if (pieces < reserved) addFault(row, "counted", `Посчитано меньше, чем отложено для заказов: ${reserved} шт.`);
        else if (pieces === onHand && row.outcome !== "error") row.outcome = "unchanged";
        row.changes = [{ column: "counted", before: String(onHand), after: String(pieces) }];
      }
      if (typeof received === "number" && unitCost === undefined)
        row.messages.push({
          column: "unitCost",
          message: "Закупочная цена не указана: себестоимость останется неизвестной",
          isError: false,
        });
    }
  },

  async approvalReason(_, rows, subjects) {
    const gold = rows.filter(
      ({ coinId, values }) => typeof values["counted"] === "number" && coinId !== null && subjects.get(coinId)?.values["metal"] === "gold",
    );
    return gold.length === 0 ? null : `Исправляется учёт золота: ${counted(gold.length, coinForms)}`;
  },

  async apply(ctx, made, rows, subjects) {
    const note = `Импорт ${made.id}: ${made.fileName}`;
    const receipts = rows.flatMap(({ coinId, values }): DocumentLine[] => {
      const [quantity, cost] = [numberOr(values["received"]), numberOr(values["unitCost"])];
      return coinId === null || quantity === null ? [] : [{ coinId, quantity, unitCost: cost === null ? null : kopecks(cost) }];
    });
    // The difference that was counted, not the number: what is sold meanwhile is neither lost nor counted twice.
    const corrections = rows.flatMap(({ coinId, values }): DocumentLine[] => {
      const pieces = numberOr(values["counted"]);
      const onHand = coinId === null ? null : numberOr(subjects.get(coinId)?.values["onHand"]);
      return coinId === null || pieces === null || onHand === null ? [] : [{ coinId, quantity: pieces - onHand, unitCost: null }];
    });
    const posted: number[] = [];
    for (const [kind, lines] of [["receipt", receipts] as const, ["correction", corrections] as const]) {
      if (lines.length === 0) continue;
      const draft = { kind, supplier: "", number: "", date: null, note, lines };
      const document = await documents.postImported(ctx, draft, `exchange:${made.id}:${kind}`);
      if (!document.ok) return refused(documentRefusal(document.error));
      posted.push(document.value.id);
    }
    return done({ changed: rows.length, documents: posted });
  },
};

function documentRefusal(error: DocumentError): string {
  if (error.code !== "stock.line_refused") return "Складской документ не проведён. Проверьте файл ещё раз";
  const ids = error.lines.map(({ coinId }) => coinId).join(", ");
  return `Складской документ не проведён: штуки отложены для заказов (артикулы ${ids})`;
}

export const kinds: Readonly<Record<ImportKind, Kind>> = { coins: coinKind, prices: priceKind, stock: stockKind };

/** The coins that rows are about. */
export const coinsOfRows = (rows: readonly CheckedRow[]): number[] => coinIds(rows);
