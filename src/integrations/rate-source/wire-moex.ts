import { z } from "zod";
import { fromMoscow } from "#kit/moscow-time.ts";
import { days, hours, plus } from "#kit/time.ts";
import type { MarketAnswer, MetalTick } from "#shop/rates/gateway.ts";
import { InvalidRatesError } from "#shop/rates/gateway.ts";
import type { MetalCode } from "#shop/rates/rate.ts";

/**
 * Moscow Exchange ISS, board CETS of the currency market: spot metals in roubles per gram.
 * https://iss.moex.com/iss/reference · anonymous data are about 15 minutes late · columns come in any order, any cell may be null.
 */
export const securitiesPath =
  "/engines/currency/markets/selt/boards/CETS/securities.json?iss.meta=off&iss.only=securities,marketdata&securities=GLDRUB_TOM,SLVRUB_TOM";

const secIds: Record<MetalCode, string> = { XAU_RUB: "GLDRUB_TOM", XAG_RUB: "SLVRUB_TOM" };

const cell = z.union([z.string(), z.number(), z.null()]);
const block = z.object({ columns: z.array(z.string()).max(200), data: z.array(z.array(cell)).max(1000) });
const answer = z.object({ securities: block, marketdata: block });

type Row = Map<string, string | number | null>;

/** Parses an answer of `securities.json`; throws `InvalidRatesError` when it is invalid. A metal without any values is omitted. */
export function readSecurities(body: unknown): MarketAnswer {
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw new InvalidRatesError("moex: not the shape of securities.json");
  const securities = bySecId(parsed.data.securities);
  const marketdata = bySecId(parsed.data.marketdata);

  const ticks: MetalTick[] = [];
  for (const code of Object.keys(secIds) as MetalCode[]) {
    const [security, traded] = [securities.get(secIds[code]), marketdata.get(secIds[code])];
    const tick = security && traded ? readTick(code, security, traded) : null;
    if (tick) ticks.push(tick);
  }
  if (ticks.length === 0) throw new InvalidRatesError("moex: no price of either metal");
  // Both metals must be traded: a suspended one would be sold at a frozen price.
  const isOpen = Object.values(secIds).every((secId) => marketdata.get(secId)?.get("TRADINGSTATUS") === "T");
  return { ticks, isOpen };
}

function bySecId({ columns, data }: z.output<typeof block>): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const cells of data) {
    const row: Row = new Map(columns.map((column, index) => [column, cells[index] ?? null]));
    const [secId, board] = [row.get("SECID"), row.get("BOARDID")];
    if (typeof secId === "string" && (board === "CETS" || board === undefined)) found.set(secId, row);
  }
  return found;
}

function readTick(code: MetalCode, security: Row, traded: Row): MetalTick | null {
  const currency = security.get("CURRENCYID") ?? null;
  if (currency !== null && currency !== "RUB" && currency !== "SUR")
    throw new InvalidRatesError(`moex: ${code} is quoted in ${String(currency).slice(0, 8)}`);
  // One lot may be many units (KZT: 100); prices are for FACEVALUE units.
  const faceValue = positive(security, "FACEVALUE") ?? 1;
  const previousClose = positive(security, "PREVPRICE");
  const value = positive(traded, "LAST") ?? positive(traded, "WAPRICE") ?? previousClose;
  if (value === null) return null;
  const toE4 = (price: number): number => Math.round((price * 10_000) / faceValue);
  return {
    code,
    valueE4: toE4(value),
    previousCloseE4: previousClose === null ? null : toE4(previousClose),
    observedAt: observedAt(code, traded),
  };
}

function positive(row: Row, column: string): number | null {
  const value = row.get(column) ?? null;
  if (value === null) return null;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0)
    throw new InvalidRatesError(`moex: ${column} is ${String(value).slice(0, 20)}`);
  return value;
}

/** An update further ahead of the answer's clock than this is from the day before: the pause between two sessions is longer. */
const aheadMs = hours(3);

/**
 * The exchange's time of a metal: UPDATETIME "HH:MM:SS" on the day of SYSTIME "YYYY-MM-DD HH:MM:SS", both Moscow. SYSTIME itself is the
 * clock of the web server and advances while trade data do not, so it is never the time of a price. Without an update of the day
 * (before its first trade) the price is the previous close, dated at the start of the day.
 */
function observedAt(code: MetalCode, traded: Row): Date {
  const [systime, updated] = [traded.get("SYSTIME"), traded.get("UPDATETIME") ?? null];
  const stamp = typeof systime === "string" ? /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(systime) : null;
  if (!stamp) throw new InvalidRatesError(`moex: ${code} has no SYSTIME`);
  const [, day = "", time = ""] = stamp;
  const system = moscowTime(day, time);
  if (updated === null) return moscowTime(day, "00:00");
  if (typeof updated !== "string" || !/^\d{2}:\d{2}:\d{2}$/.test(updated)) throw new InvalidRatesError(`moex: ${code} has no UPDATETIME`);
  const update = moscowTime(day, updated);
  const isYesterday = update.getTime() - system.getTime() > aheadMs;
  return isYesterday ? plus(update, -days(1)) : update;
}

function moscowTime(day: string, time: string): Date {
  const at = fromMoscow(day, time);
  if (Number.isNaN(at.getTime())) throw new InvalidRatesError(`moex: ${day} ${time} is not a time`);
  return at;
}
