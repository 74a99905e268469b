import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction, rowsOf } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as media from "#shop/media/service.ts";
import { hours, plus } from "#kit/time.ts";
import { seedCategories } from "../../../../db/seed/seed.ts";
import { coinsOf, seedCoins } from "../../../../db/seed/seed-coins.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { factProblems, factsOf, type CoinFacts } from "../coin-rules.ts";
import * as rows from "./edit.repository.ts";
import * as edits from "./edit.service.ts";
import * as coinPictures from "./pictures.service.ts";
import * as publishing from "./publish.service.ts";
import { coinImage, pictureOf, type SidePictures } from "../image.ts";
import { salePeriods } from "../prices/service.ts";
import * as sections from "./sections.service.ts";
import * as catalog from "../service.ts";
import { aCoin, putCoins } from "../testing.ts";

let shop: TestShop;
let ctx: Ctx;
beforeAll(async () => {
  shop = await testShop();
  ctx = shop.ctx;
  await putCoins(ctx.db, [
    aCoin({
      id: 1,
      slug: "george-2025",
      title: "Георгий, 50 рублей 2025 (ММД)",
      mint: "ММД",
      categories: ["gold"],
      catalogueNumber: "5216-0060-25",
    }),
  ]);
});
afterAll(() => shop.close());
const versionNow = async (): Promise<unknown> => (await rowsOf(ctx.db, sql`select ${catalog.version} as version`))[0];

const prices = { premiumBp: 500, buybackBp: -300, fixedPriceKopecks: null, fixedBuybackKopecks: null };
let lastYear = 1_800;
/** Facts of a coin like no other. */
const someFacts = (values: Partial<CoinFacts> = {}): CoinFacts => {
  const year = (lastYear += 1);
  return { ...factsOf(aCoin({ id: 1, slug: `coin-of-${year}`, title: `Монета ${year}`, year, categories: ["gold"] })), ...values };
};
const added = async (values: Partial<CoinFacts> = {}, more: Partial<edits.CoinEdit> = {}) => {
  const result = await edits.editCoin(ctx, { id: null, revision: null, facts: someFacts(values), prices, ...more });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.after;
};
async function aPicture(colour = "#c8a13a"): Promise<string> {
  const bytes = await sharp({ create: { width: 900, height: 1_000, channels: 3, background: colour } })
    .webp()
    .toBuffer();
  return (await inTransaction(ctx.db, (tx) => media.store(tx, ctx, { bytes, width: 900, height: 1_000 }))).id;
}
const side = (pictureId: string, alt = "Всадник") => ({ pictureId, crop: { left: 0, top: 50, size: 900 }, alt });

describe("saving", () => {
  test("a new coin gets the next article, its own prices and no place on the site", async () => {
    const coin = await added({ motif: "" });
    expect(coin).toMatchObject({ ...prices, isPublished: false, publishedAt: null, revision: 0, hasDrawing: false, motif: "moneta" });
    expect(coin.id).toBeGreaterThan(1);
    expect(await catalog.coinBySlug(ctx, coin.slug)).toBeNull();
  });

  test("of two editors with one coin the second gets what the first has saved", async () => {
    const coin = await added();
    const other = await shop.another();
    const save = (on: Ctx, artist: string) =>
      edits.editCoin(on, { id: coin.id, revision: 0, facts: { ...factsOf(coin), artist }, prices: null });
    const results = await Promise.all([save(ctx, "Бакланов"), save(other, "Щаблыкин")]);
    const won = results.find((each) => each.ok);
    const lost = results.find((each) => !each.ok);
    expect(won?.ok && won.value.after.revision).toBe(1);
    expect(!lost?.ok && lost?.error).toMatchObject({ code: "staff.stale", fields: ["artist"], current: { revision: 1 } });
  });

  test("two editors who add the same coin at once add it once", async () => {
    const facts = someFacts();
    const other = await shop.another();
    const add = (on: Ctx) => edits.editCoin(on, { id: null, revision: null, facts, prices });
    const results = await Promise.all([add(ctx), add(other)]);
    expect(results.filter((each) => each.ok)).toHaveLength(1);
    const lost = results.find((each) => !each.ok);
    expect(!lost?.ok && lost?.error).toEqual({ code: "coin.invalid", problems: [{ field: "slug", code: "slug_taken" }] });
  });

  test("a coin of the same issue or number is refused until the editor says that it is another one", async () => {
    const coin = await added({ mint: "ММД", catalogueNumber: "3215-0099-26" });
    const again = { id: null, revision: null, prices };
    const sameIssue = await edits.editCoin(ctx, { ...again, facts: { ...factsOf(coin), slug: "another", catalogueNumber: null } });
    expect(!sameIssue.ok && sameIssue.error).toMatchObject({ code: "coin.duplicate", duplicate: { why: "issue", id: coin.id } });
    const sameNumber = await edits.editCoin(ctx, { ...again, facts: { ...factsOf(coin), slug: "another", title: "Иное название" } });
    expect(!sameNumber.ok && sameNumber.error).toMatchObject({ code: "coin.duplicate", duplicate: { why: "number", id: coin.id } });
    const meant = await edits.editCoin(ctx, { ...again, facts: { ...factsOf(coin), slug: "another" }, allowsDuplicates: true });
    expect(meant.ok).toBe(true);
  });

  test("a wrong fact is refused with its field and nothing is written", async () => {
    const coin = await added();
    const facts = { ...factsOf(coin), pureMassMg: 9_000, denominationCurrency: null, categories: ["silver", "nowhere"] };
    const result = await edits.editCoin(ctx, { id: coin.id, revision: 0, facts, prices: null });
    const problems = !result.ok && result.error.code === "coin.invalid" ? result.error.problems : [];
    expect(problems.map(({ field, code }) => `${field} ${code}`)).toEqual([
      "categories unknown",
      "pureMassMg mass",
      "denominationCurrency value_without_currency",
    ]);
    expect((await catalog.coinsByIds(ctx.db, [coin.id]))[0]?.revision).toBe(0);
  });

  test("prices of an existing coin are not touched, whatever the row says", async () => {
    const coin = await added();
    await edits.editCoin(ctx, {
      id: coin.id,
      revision: 0,
      facts: { ...factsOf(coin), artist: "А" },
      prices: { ...prices, premiumBp: 9_900 },
    });
    expect((await catalog.coinsByIds(ctx.db, [coin.id]))[0]).toMatchObject({ artist: "А", premiumBp: 500 });
  });

  test("a file of coins is saved whole or not at all, and saving it again changes nothing", async () => {
    const rows = Array.from({ length: 30 }, () => ({ id: null, revision: null, facts: someFacts(), prices }));
    const bad = rows.with(29, { id: null, revision: null, facts: someFacts({ year: 12 }), prices });
    const refused = await inTransaction(ctx.db, (tx) => edits.saveCoins(tx, ctx, bad));
    expect(!refused.ok && refused.error.plans.at(-1)).toEqual({ kind: "refused", problems: [{ field: "year", code: "out_of_range" }] });
    expect(await edits.findIds(ctx.db, rows[0]?.facts.slug ?? "")).toEqual([]);

    const saved = await inTransaction(ctx.db, (tx) => edits.saveCoins(tx, ctx, rows));
    const made = saved.ok ? saved.value.flatMap((plan) => (plan.kind === "add" ? [plan.after] : [])) : [];
    expect(made).toHaveLength(30);
    const before = await versionNow();
    const again = await inTransaction(ctx.db, (tx) =>
      edits.saveCoins(
        tx,
        ctx,
        made.map((coin) => ({ id: coin.id, revision: null, facts: factsOf(coin), prices: null })),
      ),
    );
    expect(again.ok && new Set(again.value.map(({ kind }) => kind))).toEqual(new Set(["same"]));
    expect(await versionNow()).toEqual(before);
  });

  test("every edit changes the version that pages are made from", async () => {
    const versions = [await versionNow()];
    const coin = await added();
    versions.push(await versionNow());
    await edits.editCoin(ctx, { id: coin.id, revision: 0, facts: { ...factsOf(coin), featuredPosition: 1 }, prices: null });
    versions.push(await versionNow());
    await sections.addCategory(ctx, "gold/new", { title: "Новые", heading: "Новые", intro: "", parent: "gold" });
    versions.push(await versionNow());
    await sections.addSeries(ctx, { name: "Знаки зодиака", body: "" });
    versions.push(await versionNow());
    expect(new Set(versions.map((each) => JSON.stringify(each))).size).toBe(5);
  });

  test("an edit that began before another and was committed after it changes the version too", async () => {
    const [first, second] = [await added(), await added()];
    const between = await inTransaction(ctx.db, async (tx) => {
      await rows.saveCoin(tx, first.id, { featuredPosition: 3 });
      await inTransaction(ctx.db, (other) => rows.saveCoin(other, second.id, { featuredPosition: 4 }));
      return versionNow();
    });
    expect(await versionNow()).not.toEqual(between);
  });
});

test("the coins that the shop is delivered with pass the rules of the editor", async () => {
  const known = new Set(seedCategories().map(({ slug }) => slug));
  const faults = coinsOf(await seedCoins(new Date())).flatMap((coin) => factProblems(coin, known).map((each) => [coin.slug, each]));
  expect(faults).toEqual([]);
});

describe("pictures and publication", () => {
  test("a new coin is shown once both sides have a picture; taken off sale, it stays for old orders", async () => {
    const coin = await added();
    const early = await publishing.setPublished(ctx, { id: coin.id, revision: 0, isPublished: true });
    expect(!early.ok && early.error).toEqual({ code: "coin.not_ready", reasons: ["pictures"] });

    const pictures = { obverse: side(await aPicture()), reverse: side(await aPicture()), edge: null };
    const shown = await edits.editCoin(ctx, { id: coin.id, revision: 0, facts: factsOf(coin), prices: null, pictures, isPublished: true });
    expect(shown.ok && shown.value.after).toMatchObject({ isPublished: true, pictures: { revision: 1, alts: { obverse: "Всадник" } } });
    expect((await catalog.coinBySlug(ctx, coin.slug))?.id).toBe(coin.id);

    const revision = shown.ok ? shown.value.after.revision : 0;
    await publishing.setPublished(ctx, { id: coin.id, revision, isPublished: false });
    expect(await catalog.coinBySlug(ctx, coin.slug)).toBeNull();
    expect(await catalog.coinsByIds(ctx.db, [coin.id])).toHaveLength(1);
  });

  test("the days on which a coin was on sale are stored, break by break", async () => {
    const coin = await added();
    const pictures = { obverse: side(await aPicture()), reverse: side(await aPicture()), edge: null };
    const shown = await edits.editCoin(ctx, { id: coin.id, revision: 0, facts: factsOf(coin), prices: null, pictures, isPublished: true });
    let revision = shown.ok ? shown.value.after.revision : 0;
    const [started, ended] = [ctx.now(), plus(ctx.now(), hours(5))];
    const at = (now: Date): Ctx => ({ ...ctx, now: () => now });
    const set = async (now: Date, isPublished: boolean) => {
      const moved = await publishing.setPublished(at(now), { id: coin.id, revision, isPublished });
      revision = moved.ok ? moved.value.after.revision : revision;
    };
    const periods = async (from: Date) =>
      (await salePeriods(ctx.db, [coin.id], from)).get(coin.id)?.map(({ from: start, till }) => [start, till]);
    expect(await periods(new Date(0))).toEqual([[started, null]]);
    await set(ended, false);
    expect(await periods(new Date(0))).toBeUndefined();
    await set(plus(ended, hours(1)), false); // a second press changes nothing
    await publishing.publishReady(at(plus(ended, hours(2))), [coin.id]);
    expect(await periods(new Date(0))).toEqual([
      [started, ended],
      [plus(ended, hours(2)), null],
    ]);
    expect(await periods(plus(ended, hours(1)))).toEqual([[plus(ended, hours(2)), null]]);
  });

  test("the address of a coin that was shown does not change any more", async () => {
    const [coin] = await catalog.coinsByIds(ctx.db, [1]);
    const facts = { ...factsOf(coin!), slug: "another-address" };
    const result = await edits.editCoin(ctx, { id: 1, revision: coin!.revision, facts, prices: null });
    expect(!result.ok && result.error).toEqual({ code: "coin.invalid", problems: [{ field: "slug", code: "slug_fixed" }] });
  });

  test("a replaced picture gets a new address, and the old address keeps its picture", async () => {
    const [first, second, third] = [await aPicture("#111"), await aPicture("#222"), await aPicture("#333")];
    const coin = await added({}, { pictures: { obverse: side(first), reverse: side(second), edge: null } });
    const save = (pictures: SidePictures, revision: number) =>
      edits.editCoin(ctx, { id: coin.id, revision, facts: factsOf(coin), prices: null, pictures });
    const replaced = await save({ obverse: side(first), reverse: side(third), edge: null }, coin.revision);
    if (!replaced.ok) throw new Error(replaced.error.code);
    const { after } = replaced.value;
    expect(coinImage(pictureOf(after), "reverse", 320)).not.toBe(coinImage(pictureOf(coin), "reverse", 320));

    const at = (revision: number | null, name: "obverse" | "reverse" | "edge" = "reverse") =>
      coinPictures.pictureAt(ctx.db, { coinId: coin.id, side: name, revision });
    expect(await at(1)).toMatchObject({ isFinal: true, photo: { pictureId: second } });
    expect(await at(2)).toMatchObject({ isFinal: true, photo: { pictureId: third } });
    expect(await at(2, "obverse")).toMatchObject({ photo: { pictureId: first } });
    expect(await at(null)).toMatchObject({ isFinal: false, photo: { pictureId: third } });
    // An address of the future may show anything later, so it must not be cached permanently.
    expect(await at(3)).toMatchObject({ isFinal: false });
    expect(await at(2, "edge")).toMatchObject({ photo: null });

    await save({ obverse: null, reverse: side(third), edge: null }, after.revision);
    expect(await at(2, "obverse")).toMatchObject({ photo: { pictureId: first } });
    expect(await at(3, "obverse")).toMatchObject({ photo: null });
  });

  test("saving the same pictures again changes neither addresses nor revision", async () => {
    const pictures = { obverse: side(await aPicture()), reverse: side(await aPicture()), edge: null };
    const coin = await added({}, { pictures });
    const again = await edits.editCoin(ctx, { id: coin.id, revision: coin.revision, facts: factsOf(coin), prices: null, pictures });
    expect(again.ok && again.value.after.revision).toBe(coin.revision);
  });

  test("a picture that is unknown, or cut out beyond its edge, is refused", async () => {
    const coin = await added();
    const picture = await aPicture();
    for (const wrong of [side("no-such-picture"), { ...side(picture), crop: { left: 200, top: 0, size: 900 } }]) {
      const pictures = { obverse: wrong, reverse: null, edge: null };
      const result = await edits.editCoin(ctx, { id: coin.id, revision: 0, facts: factsOf(coin), prices: null, pictures });
      expect(!result.ok && result.error).toEqual({ code: "coin.picture_wrong", side: "obverse" });
    }
  });

  test("an upload that no coin uses is deleted after two days, a used one stays", async () => {
    const [used, unused] = [await aPicture(), await aPicture()];
    await added({}, { pictures: { obverse: side(used), reverse: null, edge: null } });
    const later = { db: ctx.db, now: () => new Date(ctx.now().getTime() + hours(49)) };
    await media.deleteUnused(later);
    expect(await media.readBytes(ctx.db, unused)).toBeNull();
    expect(await media.readBytes(ctx.db, used)).not.toBeNull();
  });
});

describe("categories and series", () => {
  const texts = { title: "Раздел", heading: "Раздел", intro: "", parent: null };

  test("a category lies below its parent, keeps its address, and cannot become its own parent", async () => {
    await sections.addCategory(ctx, "silver", { ...texts, title: "Серебро" });
    expect(await sections.addCategory(ctx, "silver", texts)).toMatchObject({ error: { field: "slug", why: "taken" } });
    expect(await sections.addCategory(ctx, "elsewhere", { ...texts, parent: "silver" })).toMatchObject({ error: { why: "outside" } });
    expect((await sections.addCategory(ctx, "silver/part", { ...texts, parent: "silver" })).ok).toBe(true);
    const circle = await sections.saveCategory(ctx, { slug: "silver", revision: 0 }, { ...texts, parent: "silver/part" });
    expect(circle).toMatchObject({ error: { field: "parent", why: "circle" } });
    expect(await sections.saveCategory(ctx, { slug: "silver", revision: 7 }, texts)).toMatchObject({ error: { code: "staff.stale" } });
  });

  test("only an empty category can be deleted, and the order needs the whole list", async () => {
    expect(await sections.deleteCategory(ctx, "gold")).toMatchObject({ error: { code: "section.in_use" } });
    expect((await sections.deleteCategory(ctx, "silver/part")).ok).toBe(true);
    const slugs = (await sections.categoryRecords(ctx.db)).map(({ slug }) => slug);
    expect(await sections.orderCategories(ctx, slugs.slice(1))).toMatchObject({ error: { code: "staff.stale" } });
    await sections.orderCategories(ctx, slugs.toReversed());
    expect((await catalog.categories(ctx)).map(({ slug }) => slug)).toEqual(slugs.toReversed());
  });

  test("a series takes its coins along to a new name", async () => {
    const coin = await added({ series: "Сохраним наш мир" });
    const saved = await sections.saveSeries(ctx, { name: "Сохраним наш мир", revision: 0 }, { name: "Сохраним мир", body: "О природе" });
    expect(saved.ok && saved.value.after).toMatchObject({ name: "Сохраним мир", body: "О природе", coinCount: 1, revision: 1 });
    expect((await catalog.coinsByIds(ctx.db, [coin.id]))[0]).toMatchObject({ series: "Сохраним мир", revision: 1 });
    expect(await sections.deleteSeries(ctx, "Сохраним мир")).toMatchObject({ error: { code: "section.in_use", coins: 1 } });
    const names = (await sections.seriesList(ctx.db)).map(({ name }) => name);
    const ordered = await sections.orderSeries(ctx, names.toReversed());
    expect(ordered.ok && ordered.value.map(({ name }) => name)).toEqual(names.toReversed());
  });
});
