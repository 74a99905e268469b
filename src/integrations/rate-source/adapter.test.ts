import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { InvalidRatesError } from "#shop/rates/gateway.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import { aFridayNoon, testClock, testShop } from "#tests/shop.ts";
import { createRateSourceGateway } from "./adapter.ts";
import { startRateSourceSimulator } from "./simulator.ts";
import { encodeWindows1251 } from "./windows-1251.ts";
import { readDaily, readMetals } from "./wire-cbr.ts";
import { readSecurities } from "./wire-moex.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** As the exchange answered on a Friday: columns in no order, empty cells, a foreign board in between. */
const friday = {
  securities: {
    columns: ["PREVPRICE", "SECID", "FACEVALUE", "BOARDID", "SECNAME", "LOTSIZE", "CURRENCYID"],
    data: [
      [10986.4, "GLDRUB_TOM", 1, "CETS", null, 1, "RUB"],
      [9, "GLDRUB_TOM", 1, "SPEC", null, 1, "RUB"],
      [130.92, "SLVRUB_TOM", 1, "CETS", null, 100, "RUB"],
    ],
  },
  marketdata: {
    columns: ["UPDATETIME", "LAST", "TRADINGSTATUS", "BOARDID", "WAPRICE", "SYSTIME", "SECID", "HIGH"],
    data: [
      ["11:44:31", 11042.6, "T", "CETS", 11040.02, "2026-11-20 11:45:02", "GLDRUB_TOM", null],
      ["11:40:00", null, "T", "CETS", 131.48, "2026-11-20 11:45:02", "SLVRUB_TOM", 132],
    ],
  },
};
type Columns = { columns: string[]; data: unknown[][] };
/** Friday's answer with one cell of gold changed. */
function friday_(block: "securities" | "marketdata", column: string, value: unknown): object {
  const changed = structuredClone(friday) as { securities: Columns; marketdata: Columns };
  const row = changed[block].data[0];
  if (row) row[changed[block].columns.indexOf(column)] = value;
  return changed;
}
const without = (...names: string[]): object => Object.fromEntries(Object.entries(friday).filter(([name]) => !names.includes(name)));

describe("reading the exchange", () => {
  test("prices are found by the columns' names; without a last trade the weighted average counts", () => {
    expect(readSecurities(friday)).toEqual({
      isOpen: true,
      ticks: [
        { code: "XAU_RUB", valueE4: 110_426_000, previousCloseE4: 109_864_000, observedAt: new Date("2026-11-20T08:44:31Z") },
        { code: "XAG_RUB", valueE4: 1_314_800, previousCloseE4: 1_309_200, observedAt: new Date("2026-11-20T08:40:00Z") },
      ],
    });
  });

  test("before the first trade of a day the previous close is the price", () => {
    const early = friday_("marketdata", "LAST", null) as typeof friday;
    early.marketdata.data[0]![4] = null;
    expect(readSecurities(early).ticks[0]).toMatchObject({ valueE4: 109_864_000 });
  });

  test("a price for a hundred units is divided by the face value", () => {
    expect(readSecurities(friday_("securities", "FACEVALUE", 100)).ticks[0]).toMatchObject({
      valueE4: 1_104_260,
      previousCloseE4: 1_098_640,
    });
  });

  test("a metal without any price is left out, the other stays", () => {
    const gold = friday_("marketdata", "SECID", "PLTRUB_TOM");
    expect(readSecurities(gold).ticks.map(({ code }) => code)).toEqual(["XAG_RUB"]);
    expect(readSecurities(gold).isOpen).toBe(false);
  });

  test("the market is open only while both metals trade", () => {
    for (const status of ["N", "B", "S", null]) expect(readSecurities(friday_("marketdata", "TRADINGSTATUS", status)).isOpen).toBe(false);
  });

  test("the clock of the web server is not the time of a price: without an update of the day the price is of the day's beginning", () => {
    const early = friday_("marketdata", "UPDATETIME", null);
    expect(readSecurities(early).ticks[0]?.observedAt).toEqual(new Date("2026-11-19T21:00:00Z"));
  });

  test("an update of yesterday evening that is still the last in the morning is yesterday's", () => {
    const morning = friday_("marketdata", "UPDATETIME", "19:00:00") as typeof friday;
    morning.marketdata.data[0]![5] = "2026-11-20 09:59:00";
    expect(readSecurities(morning).ticks[0]?.observedAt).toEqual(new Date("2026-11-19T16:00:00Z"));
  });

  test("an update at 23:59:50 read after midnight is yesterday's", () => {
    const late = friday_("marketdata", "UPDATETIME", "23:59:50") as typeof friday;
    late.marketdata.data[0]![5] = "2026-11-21 00:00:10";
    expect(readSecurities(late).ticks[0]?.observedAt).toEqual(new Date("2026-11-20T20:59:50Z"));
  });
});

const xml = (body: string): Buffer => encodeWindows1251(`<?xml version="1.0" encoding="windows-1251"?>${body}`);
const dollar = (value: string, options: { nominal?: string; date?: string; id?: string } = {}): Buffer =>
  xml(
    `<ValCurs Date="${options.date ?? "20.11.2026"}" name="Foreign Currency Market">` +
      `<Valute ID="${options.id ?? "R01235"}"><NumCode>840</NumCode><CharCode>USD</CharCode>` +
      `<Nominal>${options.nominal ?? "1"}</Nominal><Name>Доллар США</Name>` +
      `<Value>${value}</Value><VunitRate>${value}</VunitRate></Valute></ValCurs>`,
  );

describe("reading the Bank of Russia", () => {
  test("decimal commas, one to four decimals, nominals", () => {
    expect(readDaily(dollar("78,1727"))).toEqual({ valueE4: 781_727, effectiveOn: "2026-11-20" });
    expect(readDaily(dollar("8124,5", { nominal: "100" }))).toEqual({ valueE4: 812_450, effectiveOn: "2026-11-20" });
  });

  test("Russian names arrive as windows-1251 bytes", () => {
    const bytes = dollar("78,1727");
    expect(bytes.includes(Buffer.from([0xc4, 0xee, 0xeb, 0xeb, 0xe0, 0xf0]))).toBe(true); // Доллар
    expect(new TextDecoder("windows-1251").decode(bytes)).toContain("Доллар США");
  });

  test("gold and silver of a range, other metals aside; an empty range is no prices", () => {
    const records =
      `<Record Date="01.04.2026" Code="1"><Buy>11831,31</Buy><Sell>11831,31</Sell></Record>` +
      `<Record Date="01.04.2026" Code="2"><Buy>184,82</Buy><Sell>184,82</Sell></Record>` +
      `<Record Date="01.04.2026" Code="3"><Buy>4000</Buy><Sell>4000</Sell></Record>`;
    expect(readMetals(xml(`<Metall FromDate="20260401" ToDate="20260401" name="Precious metals quotations">${records}</Metall>`))).toEqual([
      { code: "XAU_RUB", valueE4: 118_313_100, effectiveOn: "2026-04-01" },
      { code: "XAG_RUB", valueE4: 1_848_200, effectiveOn: "2026-04-01" },
    ]);
    expect(readMetals(xml(`<Metall FromDate="20260102" ToDate="20260102" name="Precious metals quotations"></Metall>`))).toEqual([]);
    expect(readMetals(xml("<Metall></Metall>"))).toEqual([]);
  });

  test("an answer without a valid rate is refused", () => {
    const bad = [
      dollar("0"),
      dollar("-1,5"),
      dollar("81.24"),
      dollar("1e5"),
      dollar("NaN"),
      dollar("81,24", { nominal: "0" }),
      dollar("81,24", { date: "32.13.2026" }),
      dollar("81,24", { id: "R01239" }),
      xml("<html><body>DDoS-Guard</body></html>"),
      xml("<ValCurs Date='20.11.2026'>"),
      Buffer.alloc(0),
      Buffer.from('{"a":1}'),
    ];
    for (const bytes of bad) expect(() => readDaily(bytes)).toThrow(InvalidRatesError);
  });
});

async function simulated(clock = testClock()) {
  const simulator = await startRateSourceSimulator({ now: clock.now });
  closers.push(() => simulator.close());
  const gateway = createRateSourceGateway({ moexBaseUrl: simulator.moexUrl, cbrBaseUrl: simulator.cbrUrl, now: clock.now });
  closers.push(() => gateway.close());
  return { simulator, gateway, clock };
}

describe("the adapter against the simulator", () => {
  test("the demonstration opens at its rates, a little over the previous closes", async () => {
    const { gateway } = await simulated();
    expect(await gateway.readMarket()).toMatchObject({
      isOpen: true,
      ticks: [
        { code: "XAU_RUB", valueE4: 110_426_000, previousCloseE4: 109_864_000 },
        { code: "XAG_RUB", valueE4: 1_314_800, previousCloseE4: 1_309_200 },
      ],
    });
    expect(await gateway.readDollar("2026-11-20")).toEqual({ valueE4: 812_400, previousE4: 809_652, effectiveOn: "2026-11-20" });
  });

  test("on Sunday the dollar is Saturday's", async () => {
    const { gateway, clock } = await simulated();
    clock.set(new Date("2026-11-22T09:00:00Z"));
    expect(await gateway.readDollar("2026-11-22")).toMatchObject({ effectiveOn: "2026-11-21" });
    expect(await gateway.readOfficialMetals("2026-11-22", "2026-11-23")).toEqual([]);
    expect((await gateway.readOfficialMetals("2026-11-21", "2026-11-21")).map(({ code }) => code)).toEqual(["XAU_RUB", "XAG_RUB"]);
  });

  test("metals walk with the clock, the same way for the same seed, and stay near", async () => {
    const [one, two] = [await simulated(), await simulated()];
    for (const { clock } of [one, two]) clock.advance(3_600_000);
    const [first, second] = [await one.gateway.readMarket(), await two.gateway.readMarket()];
    expect(first.ticks).toEqual(second.ticks);
    const gold = first.ticks[0]?.valueE4 ?? 0;
    expect(gold).not.toBe(110_426_000);
    expect(Math.abs(gold / 110_426_000 - 1)).toBeLessThan(0.02);
    one.clock.advance(4_000);
    expect((await one.gateway.readMarket()).ticks[0]?.valueE4).toBe(gold);
  });

  test("a rate set by hand stays; too large a move is refused and changes nothing", async () => {
    const { simulator, gateway, clock } = await simulated();
    expect(simulator.setRates({ XAU_RUB: 11_100.55, USD_RUB: 82 })).toBeNull();
    clock.advance(60_000);
    expect((await gateway.readMarket()).ticks[0]?.valueE4).toBe(111_005_500);
    expect((await gateway.readDollar("2026-11-20")).valueE4).toBe(820_000);
    expect(simulator.setRates({ USD_RUB: 81, XAU_RUB: 12_000 })).toMatchObject({ code: "XAU_RUB", limitPercent: 5 });
    expect(simulator.rates()).toMatchObject({ XAU_RUB: 11_100.55, USD_RUB: 82 });
  });

  test("the exchange's time goes with the clock, also of a rate set by hand; it can stop and go back", async () => {
    const { simulator, gateway, clock } = await simulated();
    const times = async () => (await gateway.readMarket()).ticks.map(({ observedAt }) => observedAt);
    const began = clock.now();
    simulator.setRates({ XAU_RUB: 11_050 });
    clock.advance(60_000);
    expect(await times()).toEqual([clock.now(), clock.now()]);
    simulator.setFrozen(true);
    const frozenAt = clock.now();
    const { ticks } = await gateway.readMarket();
    clock.advance(600_000);
    expect((await gateway.readMarket()).ticks).toEqual(ticks);
    expect(await times()).toEqual([frozenAt, frozenAt]);
    simulator.setQuotedAt(began);
    expect(await times()).toEqual([began, began]);
    simulator.setFrozen(false);
    expect(await times()).toEqual([clock.now(), clock.now()]);
  });

  test("polled each minute, a frozen simulator stops quotes after ten minutes; the walking one never does", async () => {
    const { simulator, gateway, clock } = await simulated();
    const shop = await testShop({ gateways: { rates: gateway }, clock });
    closers.push(() => shop.close());
    const pollFor = async (times: number): Promise<{ isStale: boolean; isDead: boolean }> => {
      for (let each = 0; each < times; each += 1) {
        clock.advance(60_000);
        await rates.poll(shop.ctx);
      }
      return pricing.refresh(shop.ctx);
    };
    simulator.setRates({ XAU_RUB: 11_050, XAG_RUB: 131 });
    expect(await pollFor(15)).toMatchObject({ isStale: false, isDead: false });
    simulator.setFrozen(true);
    expect(await pollFor(3)).toMatchObject({ isStale: false });
    expect(await pollFor(1)).toMatchObject({ isStale: true, isDead: false });
    expect(await pollFor(7)).toMatchObject({ isDead: true });
    simulator.setFrozen(false);
    expect(await pollFor(1)).toMatchObject({ isStale: false, isDead: false });
  });

  test("a closed market has no last trade and still a price", async () => {
    const { simulator, gateway } = await simulated();
    simulator.setMarket(false);
    expect(await gateway.readMarket()).toMatchObject({ isOpen: false, ticks: [{ valueE4: 110_426_000 }, { valueE4: 1_314_800 }] });
  });

  test.each(["error", "garbage", "html", "empty", "shape", "unauthorized", "too_many", "reset", "timeout"] as const)(
    "%s: nothing is made up, and it works again afterwards",
    async (mode) => {
      const { simulator, gateway, clock } = await simulated();
      simulator.setFault(mode);
      const [market, rate] = await Promise.allSettled([gateway.readMarket(), gateway.readDollar("2026-11-20")]);
      expect([market.status, rate.status]).toEqual(["rejected", "rejected"]);
      if (market.status === "rejected")
        expect(market.reason instanceof InvalidRatesError).toBe(["garbage", "html", "empty", "shape"].includes(mode));
      simulator.setFault("ok");
      clock.advance(60_000);
      expect((await gateway.readMarket()).ticks).toHaveLength(2);
    },
  );

  test("a late but correct answer is accepted", async () => {
    const { simulator, gateway } = await simulated();
    simulator.setFault("slow");
    expect((await gateway.readMarket()).ticks).toHaveLength(2);
  });
});

describe("bad answers of the exchange", () => {
  const badAnswers: [string, unknown][] = [
    ["NaN as text", friday_("marketdata", "LAST", "NaN")],
    ["zero", friday_("marketdata", "LAST", 0)],
    ["a negative price", friday_("marketdata", "LAST", -11042.6)],
    ["a price as text", friday_("marketdata", "LAST", "11042.60")],
    ["a price as an object", friday_("marketdata", "LAST", { value: 1 })],
    ["dollars", friday_("securities", "CURRENCYID", "USD")],
    ["per ounce instead of per gram", friday_("marketdata", "LAST", 343_457.6)],
    ["a hundred times too cheap", friday_("marketdata", "LAST", 110.426)],
    ["a jump of 6 %", friday_("marketdata", "LAST", 11_705.2)],
    ["a fall of 40 %", friday_("marketdata", "LAST", 6_600)],
    ["beyond exact numbers", friday_("marketdata", "LAST", 1e300)],
    ["a time two hours ahead", friday_("marketdata", "UPDATETIME", "14:00:00")],
    ["yesterday's answer", friday_("marketdata", "SYSTIME", "2026-11-19 11:45:02")],
    ["a time that is none", friday_("marketdata", "SYSTIME", "2026-13-45 99:00:00")],
    ["no time", friday_("marketdata", "SYSTIME", null)],
    ["a negative face value", friday_("securities", "FACEVALUE", -1)],
    ["a close below zero", friday_("securities", "PREVPRICE", -5)],
    ["no marketdata", without("marketdata")],
    ["no rows", { securities: { columns: [], data: [] }, marketdata: { columns: [], data: [] } }],
    ["a list", [1, 2, 3]],
    ["null", null],
    ["HTML", "<html><body>502 Bad Gateway</body></html>"],
    ["half of a JSON", '{"securities":{"columns":["SECID"'],
    ["nothing", ""],
  ];

  test(`none of ${badAnswers.length} moves a price, and each raises one alarm`, async () => {
    let body = JSON.stringify(friday);
    const bank = (path: string): Buffer => (path.startsWith("/xml_metall") ? xml("<Metall></Metall>") : dollar("81,24"));
    const server = createServer((request, response) => {
      const path = request.url ?? "";
      response.end(path.startsWith("/iss") ? body : bank(path));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = testClock(aFridayNoon);
    const gateway = createRateSourceGateway({ moexBaseUrl: `${url}/iss`, cbrBaseUrl: url, now: clock.now });
    closers.push(() => gateway.close());
    const shop = await testShop({ gateways: { rates: { ...gateway, readOfficialMetals: async () => [] } }, clock });
    closers.push(() => shop.close());

    await rates.poll(shop.ctx);
    const before = await pricing.refresh(shop.ctx);
    expect(before).toMatchObject({ version: 1, goldE4: 110_426_000 });
    expect(shop.alarms).toEqual([]);

    for (const [what, bad] of badAnswers) {
      body = typeof bad === "string" ? bad : JSON.stringify(bad);
      for (let good = 0; good < 4; good += 1) clock.advance(1_000);
      const alarmsBefore = shop.alarms.length;
      await rates.poll(shop.ctx);
      expect([what, shop.alarms.slice(alarmsBefore).map(({ name }) => name)]).toEqual([what, ["rates.refused"]]);
      expect([what, (await pricing.refresh(shop.ctx)).goldE4]).toEqual([what, 110_426_000]);
    }
    expect((await pricing.current(shop.ctx)).version).toBe(1);
  });
});
