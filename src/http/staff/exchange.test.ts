import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as approvals from "#contract/staff/access/approvals.ts";
import { readCoinVersions } from "#contract/staff/coins/coins.ts";
import * as contract from "#contract/staff/exchange.ts";
import { csvOf } from "#kit/documents/csv.ts";
import { readHere } from "#kit/documents/spreadsheet/read.ts";
import { writeTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import type { Table, TableFormat } from "#kit/documents/spreadsheet/table.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { coins } from "#shop/catalog/tables.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { ImportKind } from "#shop/exchange/imports/import.ts";
import * as imports from "#shop/exchange/imports/import.service.ts";
import { accountingGoods, exchangeImportRows, exchangeImports } from "#shop/exchange/tables.ts";
import * as orders from "#shop/orders/service.ts";
import { priceLists } from "#shop/pricing/tables.ts";
import { defaultLimits } from "#shop/settings.ts";
import { stockDocuments, stockItems } from "#shop/stock/tables.ts";
import { rounds } from "#tests/rounds.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "./testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let owner: StaffClient;
/** Coins of which nothing else in this file knows. */
const [first, second, silver, memorable] = [501, 502, 503, 504] as const;
beforeAll(async () => {
  const limits = Object.fromEntries(Object.keys(defaultLimits).flatMap((name) => (name.endsWith("PerMinute") ? [[name, 100_000]] : [])));
  shop = await openShopToBuy({ clock: testClock(), limits: { ...limits, unpaidOrders: 1_000 } });
  bench = await openStaffBench({ shop });
  owner = await bench.as("owner");
  const silverFacts = { metal: "silver", pureMassMg: 31_100, totalMassMg: 31_130 } as const;
  await putCoins(shop.ctx.db, [
    aCoin({ id: first, year: 2001, categories: ["gold"] }),
    aCoin({ id: second, year: 2002, categories: ["gold"] }),
    aCoin({ id: silver, ...silverFacts, categories: ["silver"] }),
    aCoin({ id: memorable, ...silverFacts, year: 2004, kind: "memorable", fixedPriceKopecks: 900_000_00, categories: ["silver"] }),
  ]);
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db, [])).toEqual([]);
  expect(bench.faults).toEqual([]);
  await bench.close();
});

const upload = (kind: ImportKind, bytes: Buffer, who = owner) =>
  who.call(contract.checkImport, { body: { kind, name: `${kind}.csv`, content: bytes.toString("base64") } });
async function exported(kind: ImportKind, format: TableFormat = "csv"): Promise<Buffer> {
  const { status, response } = await owner.call(contract.exportGoods, { body: { kind, format } });
  expect(status).toBe(200);
  return response.rawPayload;
}
const limits = { rows: 20_000, columns: 100, cellLength: 10_000, unzippedBytes: 10_000_000 };
async function tableOf(kind: ImportKind): Promise<Table> {
  const read = await readHere(await exported(kind), limits);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
}
/** A file with some columns of the shop's own export and changed cells. */
async function edited(kind: ImportKind, changes: Record<number, Record<string, string>>, only = true): Promise<Buffer> {
  const { head, rows } = await tableOf(kind);
  const lines = rows.filter(({ cells }) => !only || changes[Number(cells[0])] !== undefined);
  const cells = lines.map((row) => row.cells.map((cell, column) => changes[Number(row.cells[0])]?.[head[column] ?? ""] ?? cell));
  return csvOf([head, ...cells]);
}
const coin = async (id: number) => (await shop.ctx.db.select().from(coins).where(eq(coins.id, id)))[0];
const onHand = async (id: number) => (await shop.ctx.db.select().from(stockItems).where(eq(stockItems.coinId, id)))[0]?.onHand ?? 0;
const numbers = ({ counts }: { counts: { new: number; changed: number; errors: number } }) => [counts.new, counts.changed, counts.errors];

describe("a table that was exported", () => {
  test.each([
    ["coins", "csv"],
    ["coins", "xlsx"],
    ["prices", "csv"],
    ["prices", "xlsx"],
    ["stock", "csv"],
    ["stock", "xlsx"],
  ] as const)("of %s as %s changes nothing when it comes back", async (kind, format) => {
    const { data, status } = await upload(kind, await exported(kind, format));
    expect(status).toBe(200);
    expect([numbers(data), data.notes, data.format]).toEqual([[0, 0, 0], [], format]);
    expect(data.counts.unchanged).toBe(await shop.ctx.db.$count(coins));
    expect(data.applyBy).toBeNull();
  });

  test("comes back unchanged whatever is written in it", async () => {
    const nasty = fc.oneof(
      fc.constantFrom(
        "=cmd|' /C calc'!A0",
        "'=1+1",
        "-2",
        "+7",
        "@SUM(A1)",
        "00123",
        "5216-0060",
        "01.02.2026",
        "1e5",
        "а;б",
        'а "б"',
        "a,b",
        "да",
        "constructor",
      ),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
    );
    const texts = fc.record({
      title: nasty,
      edge: nasty,
      artist: nasty,
      series: nasty,
      quality: nasty,
      description: nasty.map((a) => `${a}\n\n;"${a}`),
    });
    const storable = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([k, v]) => [k, v.replaceAll("\0", "")]));
    await fc.assert(
      fc.asyncProperty(texts, texts, async (one, two) => {
        await shop.ctx.db.update(coins).set(storable(one)).where(eq(coins.id, first));
        await shop.ctx.db.update(coins).set(storable(two)).where(eq(coins.id, second));
        for (const format of ["csv", "xlsx"] as const) {
          const { data } = await upload("coins", await exported("coins", format));
          expect(numbers(data)).toEqual([0, 0, 0]);
        }
      }),
      // A counterexample is shown as it is found: shrinking imports the file hundreds of times.
      { numRuns: rounds({ test: 4, gate: 12, long: 100 }), endOnFailure: true },
    );
    await shop.ctx.db
      .update(coins)
      .set({ title: "Coin 501", edge: null, artist: null, series: null, quality: "АЦ", description: "A." })
      .where(eq(coins.id, first));
    await shop.ctx.db
      .update(coins)
      .set({ title: "Coin 502", edge: null, artist: null, series: null, quality: "АЦ", description: "A." })
      .where(eq(coins.id, second));
  });

  test("has formulas guarded and articles as texts", async () => {
    await shop.ctx.db.update(coins).set({ title: "=HYPERLINK(1)" }).where(eq(coins.id, first));
    expect((await exported("prices")).toString()).toContain(";'=HYPERLINK(1);");
    await shop.ctx.db.update(coins).set({ title: "Coin 501" }).where(eq(coins.id, first));
  });
});

describe("prices", () => {
  test("two premiums changed in the file are two changes, applied as one document with a version of the price list", async () => {
    const file = await edited("prices", { [first]: { "Премия, %": "6,25" }, [second]: { "Премия, %": "6.5" } }, false);
    const { data } = await upload("prices", file);
    expect([numbers(data), data.applyBy, data.approvalReason]).toEqual([[0, 2, 0], "prices", null]);
    const { data: shown } = await owner.call(contract.readImport, { params: { id: data.id }, query: { show: "changed" } });
    expect(shown.items.map(({ coinId, changes }) => [coinId, changes])).toEqual([
      [first, [{ column: "premiumBp", before: "5,5", after: "6,25" }]],
      [second, [{ column: "premiumBp", before: "5,5", after: "6,5" }]],
    ]);
    const lists = await shop.ctx.db.$count(priceLists);
    const applied = await owner.call(contract.applyPriceImport, { params: { id: data.id }, body: { hash: data.hash } });
    expect(applied).toMatchObject({
      status: 200,
      data: { state: "applied", result: { changed: 2 }, appliedBy: owner.member.name },
    });
    expect([(await coin(first))?.premiumBp, (await coin(second))?.premiumBp]).toEqual([625, 650]);
    expect(await shop.ctx.db.$count(priceLists)).toBe(lists + 1);
    const audited = await shop.ctx.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.subject, `import:${data.id}`));
    expect(audited.map(({ action }) => action).toSorted()).toEqual(["import.apply", "import.check"]);
    const again = await owner.call(contract.applyPriceImport, { params: { id: data.id }, body: { hash: data.hash } });
    expect([again.status, (await coin(first))?.premiumBp]).toEqual([200, 625]);
    expect(await shop.ctx.db.$count(priceLists)).toBe(lists + 1);
  });

  test("that changed since the check are named, and nothing is applied", async () => {
    const { data } = await upload("prices", await edited("prices", { [first]: { "Премия, %": "7" }, [second]: { "Премия, %": "7" } }));
    await shop.ctx.db.update(coins).set({ premiumBp: 660 }).where(eq(coins.id, second));
    const refused = await owner.call(contract.applyPriceImport, { params: { id: data.id }, body: { hash: data.hash } });
    expect(refused.problem).toMatchObject({ code: "exchange.stale", data: { rows: [{ title: "Coin 502" }] } });
    expect((await coin(first))?.premiumBp).toBe(625);
    const other = await owner.call(contract.applyPriceImport, { params: { id: data.id }, body: { hash: "0".repeat(64) } });
    expect(other.problem?.code).toBe("exchange.stale");
  });

  test("whose stored rows are not those that were checked are not applied", async () => {
    const { data } = await upload("prices", await edited("prices", { [first]: { "Премия, %": "7" } }));
    const before = (await coin(first))?.premiumBp;
    await shop.ctx.db
      .update(exchangeImportRows)
      .set({ values: sql`${exchangeImportRows.values} || '{"premiumBp": 900}'` })
      .where(eq(exchangeImportRows.importId, data.id));
    await expect(imports.apply(shop.ctx, { id: data.id, hash: data.hash })).rejects.toThrow("not those that were checked");
    expect((await coin(first))?.premiumBp).toBe(before);
  });

  test("below the metal, or of wrong cells, are refused or need approval by the rules of prices", async () => {
    const wrong = await upload(
      "prices",
      csvOf([
        ["Артикул", "Премия, %", "Цена, ₽", "Заметка"],
        [String(first), "много", "", ""],
        ["99999", "5", "", ""],
        [String(second), "5", "1000", ""],
        [String(second), "6", "", ""],
        [String(silver), "", "", ""],
      ]),
    );
    expect(numbers(wrong.data)).toEqual([0, 0, 5]);
    expect(wrong.data.notes).toEqual(["Не знаем столбцы и пропускаем их: Заметка"]);
    const swapped = await upload("prices", csvOf([["Артикул", "Металл", "Премия, %", "Гурт"]]));
    expect(swapped.data.notes[0]).toBe("Похоже, это таблица «Монеты», а проверена как «Цены»: выберите «Монеты»");
    const { data: shown } = await owner.call(contract.readImport, { params: { id: wrong.data.id }, query: { show: "error" } });
    expect(shown.items.map(({ line, messages }) => [line, messages[0]?.column, messages[0]?.message])).toEqual([
      [2, "premiumBp", "Нужно число"],
      [3, "id", "Монеты с таким артикулом в магазине нет"],
      [4, "fixedPriceKopecks", "Цена инвестиционной монеты следует за металлом: меняйте премию и выкуп"],
      [5, "id", "Этот артикул уже был в строке 4"],
      [6, "premiumBp", "Ячейка пустая, а значение обязательно"],
    ]);
    const refused = await owner.call(contract.applyPriceImport, { params: { id: wrong.data.id }, body: { hash: wrong.data.hash } });
    expect(refused.problem?.code).toBe("exchange.has_errors");

    const { data: low } = await upload("prices", await edited("prices", { [first]: { "Премия, %": "-1" } }));
    expect([low.counts.warnings, low.approvalReason]).toEqual([1, expect.stringContaining("ниже металла")]);
    const pending = await owner.call(contract.applyPriceImport, { params: { id: low.id }, body: { hash: low.hash } });
    expect([pending.status, (await coin(first))?.premiumBp]).toEqual([202, 625]);
    const accountant = await bench.as("accountant");
    expect((await accountant.call(approvals.approve, { params: { id: pending.approval!.id } })).status).toBeGreaterThanOrEqual(400);
    const other = await bench.as("owner");
    expect((await other.call(approvals.approve, { params: { id: pending.approval!.id } })).status).toBe(200);
    expect((await coin(first))?.premiumBp).toBe(-100);
  });
});

describe("coins", () => {
  test("are changed and added, off sale, and a wrong row keeps all of them out", async () => {
    const { head, rows } = await tableOf("coins");
    const model = rows.find(({ cells }) => cells[0] === String(silver))?.cells ?? [];
    const at = (name: string) => head.indexOf(name);
    const fresh = model.map((cell, column) =>
      column === 0 ? "" : column === at("Адрес страницы") ? "novaya-moneta" : column === at("Год") ? "2011" : cell,
    );
    const changed = model.map((cell, column) => (column === at("Художник") ? "А. Б." : cell));
    const heavy = fresh.map((cell, column) => (column === at("Масса, г") ? "3" : column === at("Адрес страницы") ? "drugaya" : cell));
    const bad = await upload("coins", csvOf([head, changed, fresh, heavy]));
    expect(numbers(bad.data)).toEqual([1, 1, 1]);
    const { data: shown } = await owner.call(contract.readImport, { params: { id: bad.data.id }, query: { show: "error" } });
    expect(shown.items[0]?.messages[0]).toMatchObject({ column: "pureMassMg", message: expect.stringContaining("Масса на пробу") });

    const { data } = await upload("coins", csvOf([head, changed, fresh]));
    const applied = await owner.call(contract.applyCoinImport, { params: { id: data.id }, body: { hash: data.hash } });
    const [added] = await shop.ctx.db.select().from(coins).where(eq(coins.slug, "novaya-moneta"));
    expect(applied.data.result).toEqual({ added: 1, addedIds: [added?.id], changed: 1 });
    const publish = async () => (await owner.call(contract.publishImported, { params: { id: data.id } })).data.items;
    expect(await publish()).toMatchObject([{ id: added?.id, outcome: "not_ready", reasons: ["pictures"] }]);
    expect(added).toMatchObject({ isPublished: false, year: 2011, premiumBp: 550 });
    expect(await coin(silver)).toMatchObject({ artist: "А. Б.", revision: 1 });
    await shop.ctx.db
      .update(coins)
      .set({ hasDrawing: true })
      .where(eq(coins.id, added?.id ?? 0));
    expect(await publish()).toMatchObject([{ outcome: "published" }]);
    expect(await publish()).toMatchObject([{ outcome: "already" }]);
    expect(await coin(added?.id ?? 0)).toMatchObject({ isPublished: true, publishedAt: expect.any(Date) });
    const unpublished = await owner.call(contract.publishImported, { params: { id: bad.data.id } });
    expect(unpublished.problem?.code).toBe("staff.not_found");
    const versions = await owner.call(readCoinVersions, { params: { id: silver } });
    expect(versions.data.items[0]).toMatchObject({ action: "coin.import", after: { artist: "А. Б." } });
  });

  test("that cost no more than their metal wait for a second person when they are new, and a slip is refused", async () => {
    const { head, rows } = await tableOf("coins");
    const model = rows.find(({ cells }) => cells[0] === String(first))?.cells ?? [];
    const at = (name: string) => head.indexOf(name);
    const fresh = (slug: string, year: string, premium: string) => {
      const values = new Map([
        [0, ""],
        [at("Адрес страницы"), slug],
        [at("Год"), year],
        [at("Премия, %"), premium],
        [at("Выкуп к металлу, %"), ""],
      ]);
      return model.map((cell, column) => values.get(column) ?? cell);
    };
    const slip = await upload("coins", csvOf([head, fresh("deshevaya", "1931", "-50")]));
    expect(numbers(slip.data)).toEqual([0, 0, 1]);
    const { data: shown } = await owner.call(contract.readImport, { params: { id: slip.data.id }, query: { show: "error" } });
    expect(shown.items[0]?.messages[0]?.message).toContain("похоже на опечатку");

    const { data } = await upload("coins", csvOf([head, fresh("deshevaya", "1931", "-5"), fresh("rovno", "1932", "0")]));
    expect([numbers(data), data.counts.warnings]).toEqual([[2, 0, 0], 2]);
    expect(data.approvalReason).toBe("Не дороже своего металла: 2\u00A0новые монеты");
    const pending = await owner.call(contract.applyCoinImport, { params: { id: data.id }, body: { hash: data.hash } });
    expect(pending.status).toBe(202);
    const added = () => shop.ctx.db.select().from(coins).where(eq(coins.slug, "deshevaya"));
    expect(await added()).toEqual([]);
    const other = await bench.as("owner");
    const { data: waiting } = await other.call(approvals.readApproval, { params: { id: pending.approval!.id } });
    expect(waiting.shown!.after).toMatchObject({
      Файл: "coins.csv",
      "Новых монет": 2,
      "Строка 2, Coin 501":
        "Металл: золото; Вид: инвестиционная; Год: 1931; Проба: 999; Чистый металл, г: 7,78; Масса, г: 7,89; Премия, %: -5",
    });
    expect((await other.call(approvals.approve, { params: { id: pending.approval!.id } })).status).toBe(200);
    expect(await added()).toMatchObject([{ premiumBp: -500, isPublished: false }]);
  });

  test("that are expensive get the purchase limit of the settings when they are new and their row has none", async () => {
    const { head, rows } = await tableOf("coins");
    const model = rows.find(({ cells }) => cells[0] === String(first))?.cells ?? [];
    const fresh = (slug: string, year: string, limit: string) => {
      const values: Record<string, string> = {
        Артикул: "",
        "Адрес страницы": slug,
        Год: year,
        "Премия, %": "500",
        "Выкуп к металлу, %": "",
        "Не больше в заказе, шт.": limit,
      };
      return model.map((cell, column) => values[head[column] ?? ""] ?? cell);
    };
    const { data } = await upload("coins", csvOf([head, fresh("dorogaya", "1941", ""), fresh("dorogaya-svoya", "1942", "7")]));
    const { data: shown } = await owner.call(contract.readImport, { params: { id: data.id }, query: { show: "new" } });
    expect(shown.items[0]?.changes.at(-1)).toEqual({ column: "purchaseLimit", before: "", after: "20" });
    expect((await owner.call(contract.applyCoinImport, { params: { id: data.id }, body: { hash: data.hash } })).status).toBe(200);
    const limitOf = async (slug: string) => (await shop.ctx.db.select().from(coins).where(eq(coins.slug, slug)))[0]?.purchaseLimit;
    expect([await limitOf("dorogaya"), await limitOf("dorogaya-svoya")]).toEqual([20, 7]);
  });

  test("whose mass or kind an import changes wait for a second person when they are on sale, and pages follow", async () => {
    const { data } = await upload("coins", await edited("coins", { [second]: { "Чистый металл, г": "0,778", "Масса, г": "0,789" } }));
    expect(data.approvalReason).toContain("1\u00A0монета: цена меняется больше чем на 2 %");
    const lists = await shop.ctx.db.$count(priceLists);
    const pending = await owner.call(contract.applyCoinImport, { params: { id: data.id }, body: { hash: data.hash } });
    expect([pending.status, (await coin(second))?.pureMassMg]).toEqual([202, 7_780]);
    const other = await bench.as("owner");
    expect((await other.call(approvals.approve, { params: { id: pending.approval!.id } })).status).toBe(200);
    expect([(await coin(second))?.pureMassMg, await shop.ctx.db.$count(priceLists)]).toEqual([778, lists + 1]);
  });

  test("that were edited meanwhile are stale", async () => {
    const { data } = await upload("coins", await edited("coins", { [first]: { Художник: "В. Г." } }));
    await shop.ctx.db.execute(sql`update coins set revision = revision + 1 where id = ${first}`);
    const refused = await owner.call(contract.applyCoinImport, { params: { id: data.id }, body: { hash: data.hash } });
    expect(refused.problem).toMatchObject({ code: "exchange.stale", data: { rows: [{ line: 2, what: "монету тем временем изменили" }] } });
    expect((await coin(first))?.artist).toBeNull();
  });
});

describe("stock", () => {
  const file = (...rows: [number, string, string, string][]) =>
    csvOf([["Артикул", "Принято, шт.", "Закупка, ₽ за шт.", "Посчитано, шт."], ...rows.map(([id, ...cells]) => [String(id), ...cells])]);
  const apply = (
    call: typeof contract.applyStockImport | typeof contract.applyStocktakeImport,
    { id, hash }: { id: number; hash: string },
  ) => owner.call(call as typeof contract.applyStockImport, { params: { id }, body: { hash } });

  test("received pieces are a posted receipt with their cost", async () => {
    const { data } = await upload("stock", file([silver, "10", "4500,50", ""], [memorable, "2", "", ""]));
    expect([numbers(data), data.counts.warnings, data.applyBy]).toEqual([[0, 2, 0], 1, "stock"]);
    expect((await apply(contract.applyStocktakeImport, data)).problem?.code).toBe("staff.not_found");
    const applied = await apply(contract.applyStockImport, data);
    expect(applied.data.result?.documents).toHaveLength(1);
    expect([await onHand(silver), await onHand(memorable)]).toEqual([10, 2]);
  });

  test("counted pieces correct the difference that was counted, also beside a sale meanwhile", async () => {
    const { data } = await upload("stock", file([silver, "", "", "8"], [memorable, "", "", "2"]));
    expect([numbers(data), data.applyBy, data.approvalReason]).toEqual([[0, 1, 0], "stocktake", null]);
    expect((await apply(contract.applyStocktakeImport, data)).status).toBe(200);
    expect(await onHand(silver)).toBe(8);
  });

  test("counted gold waits for a second person; less than is reserved is refused", async () => {
    const ordered = await shop.ordered(aVisitor("x1"), { 1: 2 }, { ...atOffice, paymentId: 6 });
    expect(ordered.lines[0]?.quantity).toBe(2);
    const { data: low } = await upload("stock", file([1, "", "", "1"]));
    expect(numbers(low)).toEqual([0, 0, 1]);
    const { data } = await upload("stock", file([first, "", "", "3"]));
    expect(data.approvalReason).toContain("золота");
    expect((await apply(contract.applyStocktakeImport, data)).status).toBe(202);
    expect(await onHand(first)).toBe(0);
  });
});

describe("the file", () => {
  test("that is damaged, of another kind or of another table is refused and stores nothing", async () => {
    const before = await shop.ctx.db.$count(exchangeImports);
    const good = await exported("prices", "xlsx");
    for (const bytes of [
      good.subarray(0, good.length - 200),
      Buffer.from("%PDF-1.7"),
      Buffer.from([0, 1, 2, 3]),
      csvOf([
        ["Артикул", "Артикул", "Премия, %"],
        ["1", "1", "1"],
      ]),
      csvOf([["Премия, %"], ["1"]]),
      csvOf([
        ["Артикул", "Название"],
        ["1", "x"],
      ]),
    ]) {
      const refused = await upload("prices", bytes);
      expect(refused.problem).toMatchObject({ code: "request.invalid", fields: { content: expect.any(String) } });
    }
    expect(await shop.ctx.db.$count(exchangeImports)).toBe(before);
  });

  test("with a long unknown column is checked; its note is cut between characters", async () => {
    const long = "я".repeat(499);
    const { data } = await upload("prices", csvOf([["Артикул", "Премия, %", `${long}😀`]]));
    expect(data.notes).toEqual([`Не знаем столбцы и пропускаем их: ${long}`]);
  });

  const applyCalls = {
    coins: [contract.applyCoinImport],
    prices: [contract.applyPriceImport],
    stock: [contract.applyStockImport, contract.applyStocktakeImport],
  } as const;
  /** Everything that a file could change. */
  const state = async () => ({
    coins: await shop.ctx.db.select().from(coins).orderBy(coins.id),
    stock: await shop.ctx.db.select().from(stockItems).orderBy(stockItems.coinId),
    priceLists: await shop.ctx.db.$count(priceLists),
    documents: await shop.ctx.db.$count(stockDocuments),
  });
  /** The export cut off, or with bytes that are others. */
  const damage = fc.oneof(
    fc.record({ cut: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) }),
    fc.record({
      flips: fc.array(
        fc.record({ at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), by: fc.integer({ min: 1, max: 255 }) }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  );
  function damaged(bytes: Buffer, how: { cut: number } | { flips: { at: number; by: number }[] }): Buffer {
    if ("cut" in how) return bytes.subarray(0, Math.floor(how.cut * bytes.length));
    const made = Buffer.from(bytes);
    for (const { at, by } of how.flips) made[Math.floor(at * made.length)]! ^= by;
    return made;
  }

  test.each(["coins", "prices", "stock"] as const)(
    "of %s that was exported and then damaged changes nothing, wherever it was damaged",
    async (kind) => {
      const before = await state();
      const files = { csv: await exported(kind, "csv"), xlsx: await exported(kind, "xlsx") };
      await fc.assert(
        fc.asyncProperty(fc.constantFrom("csv", "xlsx"), damage, async (format, how) => {
          const stored = await shop.ctx.db.$count(exchangeImports);
          const { status, data, problem } = await upload(kind, damaged(files[format], how));
          if (status !== 200) {
            expect(problem).toMatchObject({ code: "request.invalid", fields: { content: expect.any(String) } });
            expect(await shop.ctx.db.$count(exchangeImports)).toBe(stored);
          } else if (format === "xlsx" && data.format === "xlsx") expect(numbers(data)).toEqual([0, 0, 0]);
          else if (data.counts.errors > 0)
            // A letter of a CSV file may be another one; a person sees the difference, but errors are not applied by anybody.
            for (const call of applyCalls[kind])
              expect((await owner.call(call, { params: { id: data.id }, body: { hash: data.hash } })).status).toBeGreaterThanOrEqual(400);
          expect(await state()).toEqual(before);
        }),
        { numRuns: rounds({ test: 8, gate: 40, long: 400 }), endOnFailure: true },
      );
    },
  );

  test("needs the permission to change what is in it", async () => {
    const accountant = await bench.as("accountant");
    expect((await upload("prices", csvOf([["Артикул"]]), accountant)).problem?.code).toBe("staff.forbidden");
    expect((await upload("prices", csvOf([["Артикул"]]), await bench.as("sales"))).problem?.code).toBe("staff.forbidden");
    const { data } = await upload("prices", await edited("prices", { [second]: { "Премия, %": "9" } }));
    const editor = await bench.as("editor");
    expect((await editor.call(contract.applyCoinImport, { params: { id: data.id }, body: { hash: data.hash } })).problem?.code).toBe(
      "staff.forbidden",
    );
    const { data: discarded } = await owner.call(contract.discardImport, { params: { id: data.id } });
    expect(discarded.state).toBe("discarded");
    const late = await owner.call(contract.applyPriceImport, { params: { id: data.id }, body: { hash: data.hash } });
    expect(late.problem?.code).toBe("exchange.closed");
  });
});

describe("exports", () => {
  test("of orders have a row for each coin, and buyers only with the permission to export them", async () => {
    const order = await shop.ordered(aVisitor("x2"), { 1: 1, 2: 1 }, { ...atOffice, paymentId: 6 });
    const request = { from: "2026-11-01", till: "2026-11-30", states: [], format: "csv" as const };
    const plain = await owner.call(contract.exportOrders, { body: request });
    const rows = plain.response.rawPayload
      .toString()
      .split("\r\n")
      .filter((row) => row.startsWith(`${order.number};`));
    expect(rows).toHaveLength(2);
    expect(plain.response.rawPayload.toString()).not.toContain("79161234567");
    const whole = await owner.call(contract.exportOrdersWithBuyers, { body: request });
    expect(whole.response.rawPayload.toString()).toContain("79161234567");
    const withMethods = async (deliveries: 35[], payments: (4 | 6)[]) =>
      (await owner.call(contract.exportOrders, { body: { ...request, deliveries, payments } })).response.rawPayload.toString();
    expect(await withMethods([35], [6])).toContain(`${order.number};`);
    expect(await withMethods([35], [4])).not.toContain(`${order.number};`);
    const accountant = await bench.as("accountant");
    expect((await accountant.call(contract.exportOrders, { body: request })).status).toBe(200);
    expect((await accountant.call(contract.exportOrdersWithBuyers, { body: request })).problem?.code).toBe("staff.forbidden");
    const none = await owner.call(contract.exportOrders, { body: { ...request, till: "2026-10-01" } });
    expect(none.problem?.fields).toEqual({ till: "Конец периода раньше начала" });
  });

  test("of orders say how many pieces came back, so that sales can be summed without them", async () => {
    const order = await shop.ordered(aVisitor("x3"), { 1: 3, 2: 1 }, { ...atOffice, paymentId: 7 });
    for (const event of ["assemble", "make_ready", "deliver"] as const) await orders.apply(shop.ctx, order.id, event);
    const rows = async () => {
      const { response } = await owner.call(contract.exportOrders, {
        body: { from: "2026-11-01", till: "2026-11-30", states: [], format: "csv" },
      });
      const lines = response.rawPayload.toString().replace("\uFEFF", "").split("\r\n");
      const [head = [], ...all] = lines.map((line) => line.split(";"));
      const of = (name: string) => head.indexOf(name);
      return all
        .filter(([number]) => number === String(order.number))
        .map((cells) => [cells[of("Артикул")], cells[of("Шт.")], cells[of("Вернули, шт.")]]);
    };
    await orders.apply(shop.ctx, order.id, "give_back", { pieces: [{ coinId: 1, quantity: 2 }] });
    expect(await rows()).toEqual([
      ["1", "3", "2"],
      ["2", "1", "0"],
    ]);
    await orders.apply(shop.ctx, order.id, "give_back");
    expect(await rows()).toEqual([
      ["1", "3", "3"],
      ["2", "1", "1"],
    ]);
  });

  test("of prices for partners name coins in stock and the time of the rate, as PDF and XLSX", async () => {
    const pdf = await owner.call(contract.printPriceList, { query: { format: "pdf" } });
    expect(pdf.response.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
    const sheet = await owner.call(contract.printPriceList, { query: { format: "xlsx" } });
    const read = await readHere(sheet.response.rawPayload, limits);
    expect(read.ok && read.value.head.at(-1)).toMatch(/Курс на 20.ноября.2026/);
    expect(read.ok && read.value.rows.map(({ cells }) => cells[0])).toContain(String(silver));
    expect(read.ok && read.value.rows.map(({ cells }) => cells[0])).not.toContain(String(second));
  });
});

test("a table in XLSX with numbers as numbers is understood like its CSV", async () => {
  const bytes = await writeTable("xlsx", { name: "Цены", head: ["Артикул", "Премия, %"], rows: [[second, 8.75]] });
  const { data } = await upload("prices", bytes);
  expect(numbers(data)).toEqual([0, 1, 0]);
});

describe("goods of the accounting system", () => {
  const list = async (show: "unknown" | "known" | "ignored", cursor?: string) =>
    (await owner.call(contract.readGoods, { query: { show, ...(cursor === undefined ? {} : { cursor }) } })).data;
  const map = (guid: string, coinId: number | null, isIgnored = false) =>
    owner.call(contract.mapGood, { body: { guid, coinId, isIgnored } });

  test("are none while the exchange is off, and it has no address", async () => {
    expect((await owner.call(contract.readAccounting, {})).data).toMatchObject({ address: null, lastCallAt: null, unknownGoods: 0 });
  });

  test("are read a page at a time", async () => {
    const guids = Array.from({ length: 53 }, (_, index) => `page-${String(index).padStart(2, "0")}`);
    await shop.ctx.db.insert(accountingGoods).values(guids.map((guid) => ({ guid, article: "", name: guid, seenAt: shop.ctx.now() })));
    const first = await list("unknown");
    const second = await list("unknown", first.next ?? undefined);
    expect([...first.items, ...second.items].map(({ guid }) => guid)).toEqual(guids);
    expect([first.items.length, second.next]).toEqual([50, null]);
    await shop.ctx.db.delete(accountingGoods);
  });

  test("are mapped, put aside and taken back, each shown with its like", async () => {
    await shop.ctx.db.insert(accountingGoods).values({ guid: "g-1", article: "нет", name: "Футляр", seenAt: shop.ctx.now() });
    const where = async () => {
      const shown = await Promise.all((["unknown", "known", "ignored"] as const).map(async (show) => [show, await list(show)] as const));
      return shown.flatMap(([show, { items }]) => items.map(({ coin: of }) => `${show} ${of?.id ?? "-"}`));
    };
    expect(await where()).toEqual(["unknown -"]);
    expect((await map("g-1", first)).status).toBe(200);
    expect(await where()).toEqual([`known ${first}`]);
    expect((await map("g-1", null, true)).status).toBe(200);
    expect(await where()).toEqual(["ignored -"]);
    expect((await map("g-1", null)).status).toBe(200);
    expect(await where()).toEqual(["unknown -"]);
    const entries = await shop.ctx.db.select().from(auditEntries).where(eq(auditEntries.subject, "good:g-1")).orderBy(auditEntries.id);
    expect(entries.at(-1)).toMatchObject({
      action: "goods.map",
      before: { coinId: null, isIgnored: true },
      after: { coinId: null, isIgnored: false },
    });
  });

  test("without such a coin keep what they had, and the article is named as wrong", async () => {
    const refused = await map("g-1", 999_999);
    expect(refused.problem).toMatchObject({ code: "request.invalid", fields: { coinId: "Монеты с таким артикулом нет" } });
    expect((await list("known")).items).toEqual([]);
  });
});

describe("what the accounting system sent and is not applied yet", () => {
  const recheck = (who = owner, key?: string) => who.call(contract.recheckAccounting, key === undefined ? {} : { key });
  const outside = async () => (await owner.call(contract.readAccounting, {})).data.offersWaiting;

  test("is compared again by any member of staff who may see the exchange, once per press, and applied like any import", async () => {
    const now = shop.ctx.now();
    const pieces = (await onHand(silver)) + 2;
    await shop.ctx.db
      .insert(accountingGoods)
      .values({ guid: "offered", article: "", name: "", coinId: silver, seenAt: now, quantity: pieces, quantityAt: now });
    expect(await outside()).toBe(1);
    expect((await recheck(await bench.as("sales"))).problem?.code).toBe("staff.forbidden");
    const accountant = await bench.as("accountant");
    const { data } = await recheck(accountant, "press");
    expect((await recheck(accountant, "press")).data).toEqual(data);
    expect([data.imports.map(({ kind, source, applyBy }) => [kind, source, applyBy]), await outside()]).toEqual([
      [["stock", "accounting", null]], // the accountant may not correct the stock
      0,
    ]);
    const [made] = (await recheck()).data.imports;
    expect([made?.id, made?.applyBy, made?.createdBy]).toEqual([data.imports[0]?.id, "stocktake", accountant.member.name]);
    const entries = await shop.ctx.db.select().from(auditEntries).where(eq(auditEntries.subject, "exchange:1c"));
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ["import.check", { stock: made?.id }],
      ["import.check", { stock: made?.id }],
    ]);
    const apply = { params: { id: made?.id ?? 0 }, body: { hash: made?.hash ?? "" } };
    expect((await owner.call(contract.applyStocktakeImport, apply)).status).toBe(200);
    expect([await onHand(silver), (await recheck()).data.imports]).toEqual([pieces, []]);
    await shop.ctx.db.delete(accountingGoods).where(eq(accountingGoods.guid, "offered"));
  });
});
