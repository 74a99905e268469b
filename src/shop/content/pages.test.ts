import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seed } from "../../../db/seed/seed.ts";
import { readFileSync } from "node:fs";
import type { Ctx } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { pagePdf } from "./pdf.service.ts";
import * as content from "./service.ts";
import { redirects, sitePages } from "./tables.ts";

let shop: TestShop;
let ctx: Ctx;
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: () => {} });
  const identity = JSON.parse(readFileSync(new URL("../../../config/shop.json", import.meta.url), "utf8")) as Ctx["settings"]["shop"];
  ctx = { ...shop.ctx, settings: { ...shop.ctx.settings, shop: identity } };
});
afterAll(() => shop.close());

describe("pages with their own addresses", () => {
  test("the policy and the consents exist, each for one purpose, with the shop's own name and no braces", async () => {
    for (const path of [
      "/privacy-policy",
      "/documents",
      "/consent/order",
      "/consent/account",
      "/consent/request",
      "/consent/review",
      "/consent/newsletter",
    ]) {
      const page = await content.sitePage(ctx, path);
      expect([path, page?.html.length ?? 0]).toEqual([path, expect.any(Number)]);
      expect(JSON.stringify(page)).not.toMatch(/\{\{|—, ИНН —/);
      if (path.startsWith("/consent/")) {
        expect(page?.html).toContain("ООО «Чекан»");
        expect(page?.parent).toEqual({ path: "/documents", title: "Документы" });
        for (const words of ["Цель.", "Какие данные", "отзыв"])
          if (path !== "/consent/review") expect([path, page?.html.includes(words)]).toEqual([path, true]);
      }
    }
  });

  test("an owner's page of four segments is found; other addresses are not", async () => {
    await shop.ctx.db.insert(sitePages).values({ path: "/a/b/c/d", title: "Четыре", body: "Текст" });
    expect((await content.sitePage(ctx, "/a/b/c/d"))?.title).toBe("Четыре");
    for (const path of ["", "/", "/a/b/c/d/e", "/A", "/..", "/a/", "//a", "/a%00", `/${"a".repeat(300)}`, "/consent/order'"])
      expect(await content.sitePage(ctx, path)).toBeNull();
    await expect(shop.ctx.db.insert(sitePages).values({ path: "/a/b/c/d/e", title: "Пять", body: "Текст" })).rejects.toThrow();
  });
});

describe("redirects", () => {
  test("old addresses lead to the present ones, the map to the address in the settings", async () => {
    expect(await content.redirectFrom(ctx, "/blog")).toEqual({ target: "/news", isExternal: false, isPermanent: true });
    expect(await content.redirectFrom(ctx, "/contacts/map")).toMatchObject({
      target: "https://yandex.ru/maps/?text=%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0",
      isExternal: true,
    });
    expect(await content.redirectFrom(shop.ctx, "/contacts/map")).toBeNull(); // the settings have no map
    expect(await content.redirectFrom(ctx, "/nowhere")).toBeNull();
  });

  test("only paths of the site and absolute https URLs are followed", async () => {
    const targets = ["javascript:alert(1)", "//evil.example", "/\\evil.example", "http://plain.example", "/r-6"];
    await shop.ctx.db
      .insert(redirects)
      .values(targets.map((target, index) => ({ path: `/r-${index + 2}`, target, isExternal: index === 3 })));
    for (const [index] of targets.entries()) expect(await content.redirectFrom(ctx, `/r-${index + 2}`)).toBeNull();
  });

  test("circular redirects are ignored, a chain of redirects is followed", async () => {
    await shop.ctx.db.insert(redirects).values(
      [
        ["/c-1", "/c-2?x=1"],
        ["/c-2", "/c-3"],
        ["/c-3", "/c-1#top"],
        ["/c-4", "/blog"],
      ].map(([path = "", target = ""]) => ({ path, target })),
    );
    for (const path of ["/c-1", "/c-2", "/c-3"]) expect(await content.redirectFrom(ctx, path)).toBeNull();
    expect(await content.redirectFrom(ctx, "/c-4")).toMatchObject({ target: "/blog" });
  });

  test("through the shop's own full address are followed as paths, so that their circles are found too", async () => {
    const there = { ...ctx, settings: { ...ctx.settings, publicUrl: "https://chekan.example" } };
    await shop.ctx.db.insert(redirects).values(
      [
        ["/o-1", "https://chekan.example/o-1"],
        ["/o-2", "https://chekan.example:443/o-3?x=1"],
        ["/o-3", "https://CHEKAN.example/o-2"],
        ["/o-4", "https://chekan.example/news?x=1"],
        ["/o-5", "https://chekan.example.net/o-5"],
      ].map(([path = "", target = ""]) => ({ path, target, isExternal: true })),
    );
    for (const path of ["/o-1", "/o-2", "/o-3"]) expect(await content.redirectFrom(there, path)).toBeNull();
    expect(await content.redirectFrom(there, "/o-4")).toMatchObject({ target: "/news?x=1", isExternal: false });
    expect(await content.redirectFrom(there, "/o-5")).toMatchObject({ target: "https://chekan.example.net/o-5", isExternal: true });
  });
});

test("the policy is a PDF with its text in Russian, rendered once", async () => {
  const bytes = await pagePdf(ctx, "/privacy-policy");
  expect(bytes?.subarray(0, 5).toString()).toBe("%PDF-");
  expect(bytes?.length).toBeGreaterThan(20_000);
  expect(bytes?.toString("latin1")).toMatch(/FontFile2/);
  expect(await pagePdf(ctx, "/privacy-policy")).toBe(bytes);
  expect(await pagePdf(ctx, "/nothing")).toBeNull();
});
