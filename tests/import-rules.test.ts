import { rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { violatedImportRules } from "../scripts/check-import-rules.ts";

/** Files that break one rule each: folder, imports, and the rules that must report them. */
const planted = [
  ["src/shop/cart", "#main/config.ts", "only-main-imports-main"],
  ["src/shop/cart", "#shop/orders/repository.ts", "repositories-are-private-to-the-module"],
  ["src/shop/cart", "#shop/orders/service.ts", "cart-imports-only-listed-modules"],
  ["src/shop/cart", "#shop/catalog/seeding.ts", "only-the-seed-imports-seeding"],
  ["src/shop/cart", "../../../db/seed/seed.ts", "only-server-imports-the-seed"],
  ["src/shop/cart", "../../../scripts/audit/verdict.ts", "src-imports-no-tools"],
  ["src/shop/cart", "#tests/round-trip-counter.ts", "only-tests-import-test-helpers"],
  ["db/seed", "#http/routes.ts", "seed-imports-shop-and-kit"],
  ["db/seed", "#shop/catalog/tables.ts", "seed-imports-no-tables"],
  ["db/seed", "#main/config.ts", "only-seed-commands-import-main"],
  ["scripts", "#http/routes.ts", "scripts-import-no-surface"],
  ["scripts", "#shop/catalog/repository.ts", "scripts-import-no-tables"],
  ["tests", "#web/texts.ru.ts", "test-helpers-import-no-surface"],
  ["tests", "../scripts/audit/verdict.ts", "test-helpers-import-no-scripts"],
  ["e2e", "#shop/orders/service.ts", "journeys-import-no-server-code"],
  ["e2e", "../scripts/audit/verdict.ts", "journeys-import-no-server-code"],
].map(([folder, imported, rule], at) => ({ path: `${folder}/planted-for-the-import-rules-test-${at}.ts`, imported, rule }));
const ring = ["scripts/planted-ring-a.ts", "scripts/planted-ring-b.ts"] as const;

afterAll(() => {
  for (const path of [...planted.map((each) => each.path), ...ring]) rmSync(path, { force: true });
});

test("every folder's forbidden import is reported, so an empty report means that the rules hold", async () => {
  for (const { path, imported } of planted) writeFileSync(path, `import "${imported}";\nexport const planted = 1;\n`);
  writeFileSync(ring[0], 'import type { B } from "./planted-ring-b.ts";\nexport type A = B | 1;\n');
  writeFileSync(ring[1], 'import type { A } from "./planted-ring-a.ts";\nexport type B = A | 2;\n');
  const broken = (await violatedImportRules()).map((each) => each.slice(0, each.indexOf(" →")));
  for (const { path, rule } of planted) expect(broken).toContain(`${rule}: ${path}`);
  expect(broken).toContain(`no-import-cycles: ${ring[0]}`);
  expect(broken.filter((each) => !each.includes("planted-"))).toEqual([]);
});
