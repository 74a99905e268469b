import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as catalog from "#shop/catalog/service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { seed } from "./seed.ts";

let shop: TestShop;
const folder = mkdtempSync(join(tmpdir(), "import-"));
const [first] = JSON.parse(readFileSync(join(import.meta.dirname, "data/coins.json"), "utf8")) as Record<string, unknown>[];
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: () => {} });
});
afterAll(async () => {
  await shop.close();
  rmSync(folder, { recursive: true });
});

function importing(content: string, { asInput = false } = {}): Promise<{ code: number | null; output: string }> {
  const path = join(folder, "coins.json");
  writeFileSync(path, asInput ? "" : content);
  const child = spawn(process.execPath, [join(import.meta.dirname, "import.ts"), asInput ? "-" : path], {
    env: { ...process.env, DATABASE_URL: shop.url, DATA_DIR: folder },
  });
  child.stdin.end(asInput ? content : "");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

test("the owner adds a coin with one command, and repeating it changes nothing", async () => {
  const file = JSON.stringify([first, { ...first, id: 5001, slug: "new-coin", title: "Новая монета, 50 рублей 2026" }]);
  expect(await importing(file)).toMatchObject({ code: 0, output: expect.stringContaining("2 coins: 1 added, 0 changed, 1 as they were") });
  expect(await importing(file)).toMatchObject({ code: 0, output: expect.stringContaining("2 coins: 0 added, 0 changed, 2 as they were") });
  const asInput = await importing(file, { asInput: true });
  expect(asInput).toMatchObject({ code: 0, output: expect.stringContaining("2 coins: 0 added, 0 changed, 2 as they were") });
  expect((await catalog.coinBySlug(shop.ctx, "new-coin"))?.title).toBe("Новая монета, 50 рублей 2026");
});

test("an invalid row and a broken file end with one clear message", async () => {
  expect(await importing(JSON.stringify([{ ...first, metal: "copper" }]))).toMatchObject({
    code: 1,
    output: expect.stringMatching(/nothing was imported, 1 problem:\n {2}row 1 \(.*\), metal:/),
  });
  expect(await importing("[{")).toMatchObject({ code: 2, output: expect.stringContaining("cannot read") });
});
