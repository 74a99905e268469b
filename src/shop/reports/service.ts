import { kopecks, toRoubles } from "#kit/money.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { days, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { metalValue } from "#shop/metal/metal.ts";
import { methodById } from "#shop/payment/payment.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as overview from "#shop/stock/overview/overview.service.ts";
import * as counters from "./counters.repository.ts";
import {
  daysOf,
  maxPeriodDays,
  rowLimit,
  type ReportCell,
  type Chart,
  type ReportColumn,
  type Period,
  type ReportName,
  type ReportTable,
} from "./report.ts";
import * as rows from "./sales.repository.ts";
import { buyerNames, channelNames, columns, deliveryNames, metalNames, notes, paymentNames, titles, totalLabel } from "./texts.ru.ts";

/** A report as a table. Aggregated in the database, at most `limit` rows; the totals are those of all rows. */
export async function table(ctx: Ctx, name: ReportName, period: Period, limit = rowLimit): Promise<ReportTable> {
  const { columns: shown, rows: found, all = null, isCut = false, chart } = await read(ctx, name, period, limit);
  return {
    title: titles[name],
    columns: shown,
    rows: found,
    totals: found.length < 2 && !isCut ? null : totalsOf(shown, found, all),
    isCut,
    chart,
    note: notes[name],
  };
}

/**
 * `isCut`: there are more rows. `all`: one row for everything, where the sums of `rows` would leave something out or count it twice; null
 * or absent: they would not.
 */
type Content = { columns: ReportColumn[]; rows: ReportCell[][]; all?: ReportCell[] | null; isCut?: boolean; chart: Chart };

/** The maximum of bars with names, so that the names can be read; days are all drawn. */
const maxNames = 12;
const bars = (...shown: ReportColumn[]): Chart => ({ by: "rows", columns: shown.map(({ key }) => key), most: maxNames });
const barsByDay = (...shown: ReportColumn[]): Chart => ({ ...bars(...shown), most: maxPeriodDays });

function read(ctx: Ctx, name: ReportName, period: Period, limit: number): Promise<Content> {
  switch (name) {
    case "days":
      return sales(ctx, period, "day", limit);
    case "coins":
      return sales(ctx, period, "coin", limit);
    case "orders":
      return sales(ctx, period, "order", limit);
    case "delivery":
      return sales(ctx, period, "delivery", limit);
    case "payment":
      return sales(ctx, period, "payment", limit);
    case "buyers":
      return sales(ctx, period, "buyer", limit);
    case "channels":
      return sales(ctx, period, "channel", limit);
    case "sources":
      return sales(ctx, period, "source", limit);
    case "margin_days":
      return margin(ctx, period);
    case "repeat":
      return repeat(ctx, period);
    case "stock":
      return stock(ctx, limit);
    case "searches":
      return searches(ctx, period, limit);
    case "checkout":
      return checkouts(ctx, period);
  }
}

/** Instants of a period of Moscow days. */
const spanOf = ({ from, till }: Period): rows.Span => ({ from: fromMoscow(from), before: plus(fromMoscow(till), days(1)) });
const roubles = (amount: number): number => toRoubles(kopecks(Math.round(amount)));
/** A part in percent with one digit; null: the whole is nothing. */
const share = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 1_000) / 10);

function nameOf(by: rows.Grouping, { key, label }: rows.SalesRow): string {
  const [delivery, payment] = [deliveryById(Number(key)), methodById(Number(key))];
  if (by === "delivery" && delivery) return deliveryNames[delivery.name];
  if (by === "payment" && payment) return paymentNames[payment.name];
  if (by === "buyer") return key === "guest" ? buyerNames.guest : buyerNames.customer;
  if (by === "channel") return channelName(key);
  if (by === "source") return [channelName(key.split("|", 1)[0] ?? ""), label].filter(Boolean).join(": ");
  return label ?? key;
}

const channelName = (key: string): string => channelNames[key as keyof typeof channelNames] ?? key;

async function sales({ db }: Ctx, period: Period, by: rows.Grouping, limit: number): Promise<Content> {
  const { groups, all } = await rows.sales(db, spanOf(period), by, limit + 1);
  const { orders, pieces, goods, overMetal, overMetalShare, overCost, uncosted } = columns;
  return {
    columns: [columns[by], orders, pieces, goods, overMetal, overMetalShare, overCost, uncosted],
    rows: groups.slice(0, limit).map((row) => salesCells(nameOf(by, row), row)),
    all: salesCells("", all),
    isCut: groups.length > limit,
    chart: by === "day" ? barsByDay(columns.goods) : bars(columns.goods),
  };
}

const salesCells = (name: string, row: rows.SalesRow): ReportCell[] => [
  name,
  row.orders,
  row.pieces,
  roubles(row.goods),
  roubles(row.overMetal),
  share(row.overMetal, row.goods),
  row.costedPieces === 0 ? null : roubles(row.overCost),
  row.pieces - row.costedPieces,
];

async function margin({ db }: Ctx, period: Period): Promise<Content> {
  const { groups } = await rows.sales(db, spanOf(period), "day", rowLimit);
  const found = new Map(groups.map((row) => [row.key, row]));
  return {
    columns: [columns.day, columns.overGold, columns.overSilver, columns.overMetal],
    rows: daysOf(period).map((day) => {
      const row = found.get(day);
      return [day, roubles(row?.overGold ?? 0), roubles(row?.overSilver ?? 0), roubles(row?.overMetal ?? 0)];
    }),
    chart: barsByDay(columns.overGold, columns.overSilver),
  };
}

async function repeat({ db }: Ctx, period: Period): Promise<Content> {
  const found = await rows.repeat(db, spanOf(period));
  const all = found.find(({ isRepeat }) => isRepeat === null);
  const cells = (name: string, { buyers, orders, goods }: rows.RepeatRow): ReportCell[] => [
    name,
    buyers,
    orders,
    share(orders, all?.orders ?? 0),
    roubles(goods),
  ];
  return {
    columns: [columns.who, columns.buyers, columns.orders, columns.ordersShare, columns.goods],
    rows: found.flatMap((row) => (row.isRepeat === null ? [] : [cells(row.isRepeat ? buyerNames.repeat : buyerNames.first, row)])),
    all: all ? cells("", all) : null,
    chart: bars(columns.goods),
  };
}

/** Coins in stock, the most valuable first; the period does not matter. */
async function stock(ctx: Ctx, limit: number): Promise<Content> {
  const list = await pricing.current(ctx);
  const levels = await overview.mostValuable(ctx, { goldE4: list.goldE4, silverE4: list.silverE4, limit: limit + 1 });
  return {
    columns: [columns.coin, columns.metal, columns.pieces, columns.grams, columns.metalValue, columns.cost, columns.uncosted],
    rows: levels.slice(0, limit).map(({ title, metal, onHand, pureMassMg, costed, cost }) => {
      const value = metalValue(pureMassMg * onHand, metal === "gold" ? list.goldE4 : list.silverE4);
      return [
        title,
        metalNames[metal],
        onHand,
        (pureMassMg * onHand) / 1_000,
        value === null ? null : toRoubles(value),
        costed === 0 ? null : toRoubles(cost),
        onHand - costed,
      ];
    }),
    all: levels.length > limit ? await wholeStock(ctx, list) : null,
    isCut: levels.length > limit,
    chart: bars(columns.metalValue),
  };
}

async function wholeStock(ctx: Ctx, list: PriceList): Promise<ReportCell[]> {
  const totals = await overview.totals(ctx);
  const sum = (of: (total: (typeof totals)[number]) => number): number => totals.reduce((all, total) => all + of(total), 0);
  const value = sum(({ metal, pureMassMg }) => metalValue(pureMassMg, metal === "gold" ? list.goldE4 : list.silverE4) ?? 0);
  const [pieces, costed] = [sum((total) => total.pieces), sum((total) => total.costed)];
  return [
    "",
    "",
    pieces,
    sum(({ pureMassMg }) => pureMassMg) / 1_000,
    value === 0 ? null : roubles(value),
    costed === 0 ? null : roubles(sum(({ cost }) => cost)),
    pieces - costed,
  ];
}

async function searches({ db }: Ctx, period: Period, limit: number): Promise<Content> {
  const found = await counters.misses(db, period, limit + 1);
  return {
    columns: [columns.query, columns.times, columns.last],
    rows: found.slice(0, limit).map(({ query, times, last }) => [query, times, last]),
    all: found.length > limit ? ["", await counters.countMisses(db, period), ""] : null,
    isCut: found.length > limit,
    chart: bars(columns.times),
  };
}

async function checkouts(ctx: Ctx, period: Period): Promise<Content> {
  await countCheckouts(ctx);
  const counted = new Map((await counters.checkouts(ctx.db, period)).map((row) => [row.day, row]));
  const placed = new Map((await rows.placed(ctx.db, spanOf(period))).map((row) => [row.day, row]));
  return {
    columns: [columns.day, columns.carts, columns.quoted, columns.placed, columns.paid],
    rows: daysOf(period).flatMap((day) => {
      const [steps, orders] = [counted.get(day), placed.get(day)];
      if (!steps && !orders) return [];
      return [[day, steps?.carts ?? null, steps?.quoted ?? null, orders?.orders ?? 0, orders?.paid ?? 0]];
    }),
    chart: { by: "sums", columns: ["carts", "quoted", "placed", "paid"], most: maxPeriodDays },
  };
}

/** `all`: the row of everything; null: the sums of the rows, without those of percentages. */
function totalsOf(shown: readonly ReportColumn[], found: readonly ReportCell[][], all: readonly ReportCell[] | null): ReportCell[] {
  return shown.map(({ unit }, index) => {
    if (index === 0) return totalLabel;
    if (unit === "text") return null;
    if (all) return all[index] ?? null;
    if (unit === "percent") return null;
    const known = found.map((row) => row[index]).filter((cell): cell is number => typeof cell === "number");
    const sum = known.reduce((total, cell) => total + Math.round(cell * 1_000), 0) / 1_000;
    return known.length === 0 ? null : sum;
  });
}

/** Sweep: stores how many carts and locked prices there were yesterday and today, before old quotes are deleted. */
export async function countCheckouts(ctx: Pick<Ctx, "db" | "now">): Promise<void> {
  const till = moscow(ctx.now()).date;
  await counters.countCheckouts(ctx.db, { from: moscow(plus(ctx.now(), -days(1))).date, till });
}
