import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { brokenBorders } from "../scripts/check-borders.ts";

const planted = "src/shop/cart/planted-for-the-border-test.ts";
afterAll(() => rmSync(planted, { force: true }));

test("a forbidden import is found, so a clean report means a clean house", async () => {
  mkdirSync("src/shop/cart", { recursive: true });
  writeFileSync(planted, 'import "#main/config.ts";\nimport "#shop/orders/repository.ts";\nexport const planted = 1;\n');
  const broken = await brokenBorders();
  expect(broken.join("\n")).toContain("main-is-the-roof: src/shop/cart/planted-for-the-border-test.ts");
  expect(broken.join("\n")).toContain("rows-are-private: src/shop/cart/planted-for-the-border-test.ts");
});
