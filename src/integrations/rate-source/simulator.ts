import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { seededRandom } from "#kit/seeded-random.ts";
import { moscow } from "#kit/moscow-time.ts";
import { createFault } from "#integrations/faults.ts";
import type { RateCode } from "#shop/rates/rate.ts";
import { openingCloseE4, openingRatesE4 } from "#shop/rates/rate.ts";
import { encodeWindows1251 } from "./windows-1251.ts";

type Values = Record<RateCode, number>;
export type RateSourceSimulator = Awaited<ReturnType<typeof startRateSourceSimulator>>;

/** Why a change was not applied: the shop would refuse it too. */
type RatesRefusal = { code: RateCode; movePercent: number; limitPercent: number };

const stepMs = 5_000;
/** The bank's price of a day is fixed, independent of later market prices and of the start of this simulator. */
const official = { XAU_RUB: (openingRatesE4.XAU_RUB / 10_000) * 0.994, XAG_RUB: (openingRatesE4.XAG_RUB / 10_000) * 0.991 };
const previousClose: Values = {
  XAU_RUB: openingCloseE4.XAU_RUB / 10_000,
  XAG_RUB: openingCloseE4.XAG_RUB / 10_000,
  USD_RUB: openingCloseE4.USD_RUB / 10_000,
};

/**
 * Moscow Exchange ISS and the Bank of Russia on one loopback port, in their own formats: shuffled columns, null cells,
 * windows-1251 with decimal commas. Prices follow a seeded random walk around the opening, a step every five seconds of `now`,
 * while the market is open; a code that was set by hand stays constant. `opening` in roubles continues an earlier run.
 * The exchange's time (UPDATETIME) follows the clock while the market is open, unless it is set to freeze, repeat or go back.
 */
export async function startRateSourceSimulator(options: {
  port?: number;
  now: () => Date;
  seed?: number;
  opening?: Partial<Values>;
  jumpLimitPercent?: number;
}) {
  const random = seededRandom(options.seed ?? 20_261_121);
  const shuffling = seededRandom(7);
  const opening: Values = {
    XAU_RUB: openingRatesE4.XAU_RUB / 10_000,
    XAG_RUB: openingRatesE4.XAG_RUB / 10_000,
    USD_RUB: openingRatesE4.USD_RUB / 10_000,
    ...options.opening,
  };
  const values: Values = { ...opening };
  const setByHand = new Set<RateCode>();
  let isOpen = true;
  const fault = createFault();
  let walkedAt = options.now().getTime();
  let quotedAt = options.now();
  let isFrozen = false;

  function walk(): void {
    const steps = Math.max(0, Math.floor((options.now().getTime() - walkedAt) / stepMs));
    walkedAt += steps * stepMs;
    if (!isOpen || isFrozen) return;
    for (const code of ["XAU_RUB", "XAG_RUB"] as const) {
      if (setByHand.has(code)) continue;
      for (let step = 0; step < Math.min(steps, 500); step += 1) {
        const pull = (opening[code] - values[code]) * 0.01; // the walk stays within a percent or so of the opening
        values[code] = cents(values[code] * (1 + (random() - 0.5) * 0.001) + pull);
      }
    }
    quotedAt = options.now();
  }

  function securities(): object {
    walk();
    const metals = [
      ["GLDRUB_TOM", "GLD/RUB_TOM", values.XAU_RUB, previousClose.XAU_RUB],
      ["SLVRUB_TOM", "SLV/RUB_TOM", values.XAG_RUB, previousClose.XAG_RUB],
    ] as const;
    const system = moscowStamp(options.now());
    return {
      securities: shuffled(
        shuffling,
        metals.map(([secId, name, , previous]) => ({
          SECID: secId,
          BOARDID: "CETS",
          SHORTNAME: name,
          SECNAME: null,
          LOTSIZE: 1,
          FACEVALUE: 1,
          FACEUNIT: secId.slice(0, 3),
          CURRENCYID: "RUB",
          DECIMALS: 2,
          MINSTEP: 0.01,
          PREVPRICE: previous,
          PREVWAPRICE: null,
          STATUS: "A",
        })),
      ),
      marketdata: shuffled(
        shuffling,
        metals.map(([secId, , value, previous]) => ({
          SECID: secId,
          BOARDID: "CETS",
          LAST: isOpen ? value : null,
          WAPRICE: value,
          OPEN: isOpen ? previous : null,
          HIGH: null,
          LOW: null,
          HIGHBID: null,
          LOWOFFER: null,
          CHANGE: cents(value - previous),
          NUMTRADES: isOpen ? 1_204 : null,
          TRADINGSTATUS: isOpen ? "T" : "N",
          UPDATETIME: moscowStamp(quotedAt).slice(11),
          SYSTIME: system,
        })),
      ),
    };
  }

  function daily(requested: string): string {
    const inForce = lastSetDay(moscow(options.now()).date);
    const effective = lastSetDay(requested);
    const value = effective >= inForce ? values.USD_RUB : previousClose.USD_RUB;
    const others =
      `<Valute ID="R01335"><NumCode>398</NumCode><CharCode>KZT</CharCode><Nominal>100</Nominal>` +
      `<Name>Казахстанских тенге</Name><Value>15,7204</Value><VunitRate>0,157204</VunitRate></Valute>`;
    return (
      `<ValCurs Date="${dotted(effective < inForce ? effective : inForce)}" name="Foreign Currency Market">${others}` +
      `<Valute ID="R01235"><NumCode>840</NumCode><CharCode>USD</CharCode><Nominal>1</Nominal>` +
      `<Name>Доллар США</Name><Value>${comma(value)}</Value><VunitRate>${comma(value)}</VunitRate></Valute></ValCurs>`
    );
  }

  function metals(from: string, to: string): string {
    const records: string[] = [];
    for (let day = from; day <= to && records.length < 4000; day = dayAfter(day)) {
      if (lastSetDay(day) !== day) continue; // a price is set on working days and holds from the next
      [official.XAU_RUB, official.XAG_RUB, 4123.5, 3370].forEach((price, index) =>
        records.push(
          `<Record Date="${dotted(day)}" Code="${index + 1}"><Buy>${comma(cents(price))}</Buy><Sell>${comma(cents(price))}</Sell></Record>`,
        ),
      );
    }
    const [first, last] = [from, to].map((day) => day.replaceAll("-", ""));
    return `<Metall FromDate="${first}" ToDate="${last}" name="Precious metals quotations">${records.join("")}</Metall>`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    if (await fault.apply(response)) return;
    const url = new URL(request.url ?? "/", "http://loopback");
    const day = (name: string): string => (url.searchParams.get(name) ?? "").split("/").reverse().join("-");
    if (url.pathname === "/iss/engines/currency/markets/selt/boards/CETS/securities.json") {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(securities()));
    } else if (url.pathname === "/scripts/XML_daily.asp") sendXml(response, daily(day("date_req") || moscow(options.now()).date));
    else if (url.pathname === "/scripts/xml_metall.asp") sendXml(response, metals(day("date_req1"), day("date_req2")));
    else response.writeHead(404).end();
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    moexUrl: `${url}/iss`,
    cbrUrl: `${url}/scripts`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    setFault: fault.set,
    setMarket(open: boolean): void {
      walk();
      isOpen = open;
    },
    /** A frozen feed answers each request with the same tick and UPDATETIME, while SYSTIME advances. */
    setFrozen(frozen: boolean): void {
      walk();
      isFrozen = frozen;
    },
    /** Sets the exchange's time of the next answers, until `setFrozen(false)`. */
    setQuotedAt(at: Date): void {
      walk();
      isFrozen = true;
      quotedAt = at;
    },
    /** The source's current values in roubles per gram and per dollar. */
    rates(): Values {
      walk();
      return { ...values };
    },
    /**
     * Sets rates (roubles, at most four decimals) together or not at all and stops their random walk. Null, or the first change that is too
     * large.
     */
    setRates(wanted: Partial<Values>): RatesRefusal | null {
      walk();
      const limitPercent = options.jumpLimitPercent ?? 5;
      const walkedPercent = 0.3; // the shop may compare with a value from a step or two ago
      const moves = (Object.entries(wanted) as [RateCode, number | undefined][]).flatMap(([code, value]) =>
        value === undefined ? [] : [[code, value] as const],
      );
      for (const [code, value] of moves) {
        const movePercent = (Math.abs(value - values[code]) / values[code]) * 100;
        if (!(value > 0) || movePercent > limitPercent + walkedPercent) return { code, movePercent, limitPercent };
      }
      for (const [code, value] of moves) {
        values[code] = Math.round(value * 10_000) / 10_000;
        setByHand.add(code);
      }
      if (!isFrozen) quotedAt = options.now();
      return null;
    },
  };
}

function sendXml(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/xml; charset=windows-1251" });
  response.end(encodeWindows1251(`<?xml version="1.0" encoding="windows-1251"?>${body}`));
}

/** The columnar format of the exchange, with a new order of columns each time. */
function shuffled(random: () => number, records: Record<string, string | number | null>[]) {
  const columns = Object.keys(records[0] ?? {})
    .map((name) => ({ name, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
  return { columns, data: records.map((record) => columns.map((column) => record[column] ?? null)) };
}

/** Sundays and Mondays use Saturday's value. */
function lastSetDay(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 ? shifted(day, -1) : weekday === 1 ? shifted(day, -2) : day;
}

const shifted = (day: string, by: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
const dayAfter = (day: string): string => shifted(day, 1);
const dotted = (day: string): string => day.split("-").reverse().join(".");
const comma = (value: number): string => String(Math.round(value * 10_000) / 10_000).replace(".", ",");
const cents = (value: number): number => Math.round(value * 100) / 100;

function moscowStamp(at: Date): string {
  const { date, hour, minute, second } = moscow(at);
  return `${date} ${[hour, minute, second].map((part) => String(part).padStart(2, "0")).join(":")}`;
}
