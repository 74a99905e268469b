import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "#kit/db.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { foldedPattern, foldedSql, foldedText } from "./folded-text.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

test("a pattern finds in a text what is found in the folded text, whatever signs both have", async () => {
  const signs = fc.constantFrom(...Array.from("еЕёЁяЯжq[]{}()\\.*+?^$|-&%_ 0№Ъß"));
  const anyText = fc.string({ unit: signs, maxLength: 12 });
  const anyPart = fc.string({ unit: signs, minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 30 }), anyPart, async (texts, typed) => {
      const word = foldedText(typed);
      const rows = await rowsOf<{ byPattern: boolean; byFolding: boolean }>(
        shop.ctx.db,
        sql`select text ~ ${foldedPattern(word)} as "byPattern", strpos(${foldedSql(sql`text`)}, ${word}) > 0 as "byFolding"
          from jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb) text`,
      );
      for (const { byPattern, byFolding } of rows) expect(byPattern).toBe(byFolding);
    }),
    { numRuns: 200 },
  );
});
