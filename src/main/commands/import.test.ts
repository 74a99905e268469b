import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "#kit/db.ts";
import { writeTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import * as catalog from "#shop/catalog/service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { seedTables } from "../../../db/seed/seed-coins.ts";
import { seed } from "../../../db/seed/seed.ts";

let shop: TestShop;
let head: string[];
let first: string[];
const folder = mkdtempSync(join(tmpdir(), "import-"));
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: () => {} });
  const { coins } = await seedTables();
  head = coins.head;
  first = coins.rows[0]?.cells ?? [];
});
afterAll(async () => {
  await shop.close();
  rmSync(folder, { recursive: true });
});

/** Cells of a coin of the seed with some others, by the heads of their columns. */
const cellsWith = (changes: Readonly<Record<string, string>>): string[] => first.map((cell, index) => changes[head[index] ?? ""] ?? cell);
const csvOf = (...rows: string[][]): Promise<Buffer> => writeTable("csv", { name: "Монеты", head, rows });

function importing(content: Uint8Array, options: { asInput?: boolean; arguments?: string[] } = {}) {
  const path = join(folder, "coins.csv");
  writeFileSync(path, options.asInput ? "" : content);
  const words = [options.asInput ? "-" : path, ...(options.arguments ?? [])];
  const child = spawn(process.execPath, [join(import.meta.dirname, "import.ts"), ...words], {
    env: { ...process.env, DATABASE_URL: shop.url, DATA_DIR: folder },
  });
  child.stdin.end(options.asInput ? content : "");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise<{ code: number | null; output: string }>((resolve) => child.once("close", (code) => resolve({ code, output })));
}

const newCoin = { Артикул: "", "Адрес страницы": "novaya-moneta", Название: "Новая монета, 50 рублей 2027 (ММД)", Год: "2027" };

test("a table adds a coin off sale with one command, is on record, and its export repeated changes nothing", async () => {
  const table = await csvOf(first, cellsWith({ ...newCoin, "Каталожный номер": "", Рисунок: "novaya-moneta" }));
  const checked = await importing(table, { arguments: ["--check"] });
  expect(checked).toMatchObject({ code: 0, output: expect.stringContaining("2 rows: 1 new, 0 changed, 1 as they were") });
  expect(await catalog.coinBySlug(shop.ctx, "novaya-moneta")).toBeNull();

  const done = await importing(table, { asInput: true });
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining("New coins are off sale") });
  const [added] = await rowsOf<{ id: number; title: string; is_published: boolean }>(
    shop.ctx.db,
    sql`select id, title, is_published from coins where slug = 'novaya-moneta'`,
  );
  expect(added).toMatchObject({ title: newCoin["Название"], is_published: false });
  const events = await rowsOf<{ action: string }>(shop.ctx.db, sql`select action from audit_entries order by id`);
  expect(events.map(({ action }) => action)).toEqual(["import.check", "coin.import", "import.apply"]);

  const again = await importing(
    await csvOf(first, cellsWith({ ...newCoin, "Каталожный номер": "", Рисунок: "novaya-moneta", Артикул: String(added?.id) })),
  );
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining("2 rows: 0 new, 0 changed, 2 as they were") });
});

test("wrong cells are named by row and column, and nothing of the file is applied", async () => {
  const result = await importing(
    await csvOf(cellsWith({ Название: "Другое название" }), cellsWith({ Артикул: "1002", Металл: "медь", Год: "0" })),
  );
  expect(result.code).toBe(1);
  expect(result.output).toMatch(/nothing was imported: 1 row is wrong/);
  expect(result.output).toMatch(/row 3 \(.*\), Металл:/);
  expect(result.output).toMatch(/row 3 \(.*\), Год:/);
  expect((await catalog.coinsByIds(shop.ctx.db, [1001]))[0]?.title).not.toBe("Другое название");
});

test("what needs a second person waits in the back office", async () => {
  const prices = await writeTable("csv", { name: "Цены", head: ["Артикул", "Премия, %"], rows: [[1001, 90]] });
  const result = await importing(prices, { arguments: ["--table", "prices"] });
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringMatching(/second person must approve it in the back office, where import \d+ waits/),
  });
  expect((await catalog.coinsByIds(shop.ctx.db, [1001]))[0]?.premiumBp).toBe(550);
});

test("a file that is not a table, and words that are not arguments, end with one clear message", async () => {
  expect(await importing(Buffer.from([0, 1, 2]))).toMatchObject({ code: 1, output: expect.stringContaining("nothing was imported") });
  expect(await importing(Buffer.from(""), { arguments: ["--table", "news"] })).toMatchObject({
    code: 2,
    output: expect.stringContaining("usage"),
  });
});
