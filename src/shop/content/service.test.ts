import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seed } from "../../../db/seed/seed.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import type { Ctx } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { contentKinds } from "./entry.ts";
import * as content from "./service.ts";

let shop: TestShop;
let demo: Ctx;
let real: Ctx;
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: () => {} });
  demo = { ...shop.ctx, isDemo: true };
  real = { ...shop.ctx, isDemo: false };
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});

describe("texts of the site", () => {
  test("news come newest first, nine per page, and none is missing", async () => {
    const [first, second, third] = [
      await content.list(demo, "news"),
      await content.list(demo, "news", 2),
      await content.list(demo, "news", 3),
    ];
    expect([first.total, first.pages, first.items.length, second.items.length, third.items.length]).toEqual([12, 2, 9, 3, 0]);
    const days = [...first.items, ...second.items].map((each) => each.publishedOn ?? "");
    expect(days).toEqual(days.toSorted().toReversed());
    expect(new Set([...first.items, ...second.items].map((each) => each.id)).size).toBe(12);
  });

  test("articles keep their fixed numbers", async () => {
    for (const id of [18, 19, 20, 318, 1485, 1486, 1487]) expect((await content.byId(demo, "training", id))?.html).toContain("<h2>");
    expect(await content.byId(demo, "training", 21)).toBeNull();
    for (const id of [Number.NaN, -1, 1.5, 1e12]) expect(await content.byId(demo, "training", id)).toBeNull();
  });

  test("every plain page exists, and no text contains braces", async () => {
    for (const slug of ["about", "delivery", "how-to-buy", "return", "coin-buyback", "partners", "certificates", "contacts"]) {
      const page = await content.page(demo, slug);
      expect(page?.html.length).toBeGreaterThan(200);
    }
    const everything = [
      ...(await Promise.all(contentKinds.map((kind) => content.list(demo, kind)))),
      await content.questions(demo),
      await content.searchable(demo),
    ];
    expect(JSON.stringify(everything)).not.toContain("{{");
    for (const { kind, slug } of await content.searchable(demo))
      expect((await content.bySlug(demo, kind, slug))?.html).not.toMatch(/\{\{|\}\}|<script/);
  });

  test("numbers stay with their units, and dashes at the end of their line", async () => {
    const lesson = await content.byId(demo, "training", 18);
    expect(lesson?.html).toContain("10\u00A0000\u00A0рублей");
    expect(lesson?.html).not.toMatch(/\d [₽%]|\S — /);
  });

  test("invented customers are shown in a demo only", async () => {
    expect((await content.list(demo, "case")).total).toBe(4);
    expect((await content.list(real, "case")).total).toBe(0);
    expect(await content.bySlug(real, "case", "nakopit-na-obuchenie")).toBeNull();
    expect(await content.byId(real, "case", 1)).toBeNull();
    expect((await content.searchable(real)).some((each) => each.isDemo)).toBe(false);
  });

  test("an unknown address is not found", async () => {
    for (const slug of ["", "nothing", "' or 1=1", "%", "constructor"]) expect(await content.bySlug(demo, "news", slug)).toBeNull();
  });
});
