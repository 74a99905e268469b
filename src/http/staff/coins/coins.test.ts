import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readApproval } from "#contract/staff/access/approvals.ts";
import * as categories from "#contract/staff/coins/categories.ts";
import * as contract from "#contract/staff/coins/coins.ts";
import * as mediaContract from "#contract/staff/coins/media.ts";
import * as reviewContract from "#contract/staff/customers/reviews.ts";
import { minutes, plus } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { factsOf, identifyingFields, type CoinFacts } from "#shop/catalog/coin-rules.ts";
import { pictureAt } from "#shop/catalog/editing/pictures.service.ts";
import { pictureOf } from "#shop/catalog/image.ts";
import { previewedCoin } from "#shop/catalog/editing/preview.service.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { reviews } from "#shop/inquiries/tables.ts";
import { maxUploadBytes } from "#shop/media/picture.ts";
import * as media from "#shop/media/service.ts";
import * as search from "#shop/search/service.ts";
import { previewSubject } from "#shop/staff/preview-token.ts";
import { roles } from "#shop/staff/role.ts";
import { pngBomb } from "#tests/png-bomb.ts";
import { createUploadReader } from "../../images/encoding/upload-reader.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

const reader = createUploadReader();
let bench: StaffBench;
let editor: StaffClient;
beforeAll(async () => {
  bench = await openStaffBench({ gateways: { pictures: reader } });
  editor = await bench.as("editor");
  await putCoins(bench.ctx.db, [aCoin({ id: 1, slug: "george", title: "Георгий, 50 рублей 2025", categories: ["gold"] })]);
});
afterAll(async () => {
  reader.close();
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(bench.ctx.db)).toEqual([]);
  await bench.close();
});

let lastYear = 1_800;
const someFacts = (values: Partial<CoinFacts> = {}): CoinFacts => {
  const year = (lastYear += 1);
  return { ...factsOf(aCoin({ id: 1, slug: `coin-of-${year}`, title: `Монета ${year}`, year, categories: ["gold"] })), ...values };
};
const prices = { premiumBp: 500, buybackBp: -300, fixedPrice: null, fixedBuyback: null };
const noPictures = { obverse: null, reverse: null, edge: null };
const add = (values: Partial<CoinFacts> = {}, more = {}) =>
  editor.call(contract.addCoin, { body: { facts: someFacts(values), prices, pictures: noPictures, isPublished: false, ...more } });

const aPhoto = (width = 1_200, height = 900) =>
  sharp({ create: { width, height, channels: 3, background: "#c8a13a" } })
    .jpeg()
    .withExif({ IFD0: { Artist: "Иванов", Copyright: "secret" } })
    .toBuffer();
const upload = (bytes: Uint8Array, client = editor) => client.call(mediaContract.uploadPicture, { body: bytes });
async function uploaded() {
  const { data } = await upload(await aPhoto());
  return { pictureId: data.id, crop: { left: 150, top: 0, size: 900 }, alt: "Всадник с копьём" };
}

/** The context of a request for the page of a preview. */
function previewing(url: string) {
  const subject = previewSubject(bench.ctx, new URL(url).searchParams.get("preview") ?? "");
  return { ...bench.ctx, ...(subject ? { preview: subject } : {}) };
}

test("editors and owners work with coins, the other roles do not", async () => {
  for (const role of roles) {
    const client = await bench.as(role);
    const { status } = await client.call(contract.readCoins);
    expect([role, status]).toEqual([role, role === "editor" || role === "owner" ? 200 : 403]);
  }
});

test("a coin with two photographs is added and shown in one call, which the audit records", async () => {
  const pictures = { obverse: await uploaded(), reverse: await uploaded(), edge: null };
  const { status, data } = await add({}, { pictures, isPublished: true });
  expect(status).toBe(200);
  expect(data).toMatchObject({ isPublished: true, prices: { premiumBp: 500 }, pictures: { obverse: { width: 1_200, height: 900 } } });
  expect(data.drawings.reverse).toBe("/media/coins/no-picture-reverse-320.webp");
  const { data: listed } = await editor.call(contract.readCoins, { query: { q: String(data.id) } });
  const [row] = listed.items.filter(({ id }) => id === data.id);
  expect(row?.image).toBe(`/media/coins/${data.facts.slug}.${data.id}.1-reverse-160.webp`);
  const [entry] = await bench.ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subject, `coin:${data.id}`));
  expect(entry).toMatchObject({ action: "coin.add", after: { isPublished: true, premiumBp: 500 } });
});

test("a wrong mass is refused beside its field, in Russian", async () => {
  const { status, problem } = await add({ totalMassMg: 9_000 });
  expect(status).toBe(422);
  expect(problem?.fields).toEqual({ pureMassMg: "Масса на пробу даёт чистого металла на 1,211 г больше" });
});

test("a stale save brings the version of the server and the fields that differ", async () => {
  const { data } = await add();
  const save = (artist: string) =>
    editor.call(contract.saveCoin, {
      params: { id: data.id },
      body: { revision: 0, facts: { ...data.facts, artist }, pictures: noPictures },
    });
  expect((await save("Бакланов")).data.revision).toBe(1);
  const stale = await save("Щаблыкин");
  expect(stale.problem).toMatchObject({
    code: "staff.stale",
    data: { revision: 1, fields: ["artist"], current: { facts: { artist: "Бакланов" } } },
  });
});

test("a new coin that costs no more than its metal waits for a second person", async () => {
  for (const premiumBp of [-100, 0]) {
    const cheap = await add({}, { prices: { ...prices, premiumBp, buybackBp: null } });
    expect(cheap).toMatchObject({ status: 202, approval: { reason: "Не дороже своего металла: 1\u00A0новая монета" } });
    const { data: waiting } = await editor.call(readApproval, { params: { id: cheap.approval!.id } });
    const premium = premiumBp === 0 ? "0" : "-1";
    expect(waiting.shown!.after).toMatchObject({ Металл: "золото", "Премия, %": premium, "Сразу на витрину": "нет" });
  }
  expect((await add({}, { prices: { ...prices, premiumBp: 1 } })).status).toBe(200);
});

test("a bullion coin without a premium is refused beside the field, and no approval is requested", async () => {
  const unpriced = await add({}, { prices: { ...prices, premiumBp: null, buybackBp: null } });
  expect(unpriced.problem).toMatchObject({ code: "coin.invalid", fields: { premiumBp: "Обязательное поле" } });
  const wrong = await add({ totalMassMg: 9_000 }, { prices: { ...prices, premiumBp: -100, buybackBp: null } });
  expect(wrong.problem).toMatchObject({ code: "coin.invalid", fields: { pureMassMg: expect.stringContaining("Масса на пробу") } });
  const fixed = { premiumBp: null, buybackBp: null, fixedPrice: 900_000, fixedBuyback: null };
  const memorable = await add({ kind: "memorable" }, { prices: fixed });
  expect(memorable).toMatchObject({ status: 200, data: { prices: { premiumBp: 0, fixedPrice: 900_000 } } });
});

test("a coin that seems to exist is saved when the editor confirms it", async () => {
  const { data } = await add();
  const twin = { facts: { ...data.facts, slug: "twin" }, prices, pictures: noPictures, isPublished: false };
  const pending = await editor.call(contract.addCoin, { body: twin });
  expect(pending.problem).toMatchObject({ code: "coin.duplicate", data: { why: "issue", id: data.id } });
  expect((await editor.call(contract.addCoin, { body: { ...twin, allowsDuplicates: true } })).status).toBe(200);
});

test("a coin that exists already is named while it is typed, and the form knows the masses of each face value", async () => {
  const { data } = await add({ mint: "ММД", catalogueNumber: "3215-0099-26" });
  const identity = (values: Partial<CoinFacts>) =>
    JSON.stringify(Object.fromEntries(identifyingFields.map((field) => [field, { ...data.facts, ...values }[field]])));
  const twin = async (values: Partial<CoinFacts>, id?: number) =>
    (await editor.call(contract.findCoinTwin, { query: { coin: identity(values), ...(id === undefined ? {} : { id: String(id) }) } })).data
      .twin;
  expect(await twin({})).toMatchObject({ why: "number", id: data.id });
  expect(await twin({ catalogueNumber: null })).toMatchObject({ why: "issue", id: data.id });
  expect(await twin({ catalogueNumber: null, mint: "СПМД" })).toBeNull();
  expect(await twin({}, data.id)).toBeNull();
  expect((await editor.call(contract.findCoinTwin, { query: { coin: "{" } })).problem?.code).toBe("request.invalid");
  const { data: form } = await editor.call(contract.readCoinForm);
  expect(form.masses).toContainEqual({ metal: "gold", currency: "RUB", value: 50, pureMassMg: 7_780 });
});

test("the list finds coins by words, number, state and missing photographs", async () => {
  const { data } = await add({ title: "Ёжик в тумане 2026", catalogueNumber: "3215-0077-26" });
  const found = async (query: Record<string, string>) => (await editor.call(contract.readCoins, { query })).data.items.map(({ id }) => id);
  expect(await found({ q: "ежик туман" })).toEqual([data.id]);
  expect(await found({ q: "3215-0077-26" })).toEqual([data.id]);
  expect(await found({ q: String(data.id) })).toContain(data.id);
  expect(await found({ published: "yes" })).toContain(1);
  expect(await found({ published: "yes" })).not.toContain(data.id);
  expect(await found({ photo: "no", metal: "gold" })).toContain(1);
  expect(await found({ metal: "silver" })).toEqual([]);
  expect(await found({ stock: "low" })).toContain(data.id);
});

test("the preview of a draft is shown by its link for half an hour and changes nothing", async () => {
  const { data } = await add();
  const facts = { ...data.facts, title: "Новое имя 2026" };
  const { data: preview } = await editor.call(contract.previewCoin, { params: { id: data.id }, body: { facts, pictures: noPictures } });
  const page = previewing(preview.url);
  expect(await previewedCoin(page, data.facts.slug)).toMatchObject({ id: data.id, title: "Новое имя 2026" });
  expect(await previewedCoin(page, "george")).toBeNull();
  expect(await previewedCoin(bench.ctx, data.facts.slug)).toBeNull();
  expect((await editor.call(contract.readCoin, { params: { id: data.id } })).data.facts.title).toBe(data.facts.title);
});

test("a coin that is not stored yet is previewed with its prices and photographs, and is not stored by it", async () => {
  const facts = someFacts();
  const body = { facts, prices, pictures: { obverse: await uploaded(), reverse: await uploaded(), edge: null } };
  const { data } = await editor.call(contract.previewNewCoin, { body });
  const shown = await previewedCoin(previewing(data.url), facts.slug);
  expect(shown).toMatchObject({ id: 0, title: facts.title, premiumBp: 500, pictures: { alts: { obverse: "Всадник с копьём" } } });
  if (shown) expect(await search.detailsOf(bench.ctx, shown)).toMatchObject({ available: 0 });
  expect((await editor.call(contract.readCoins, { query: { q: facts.title } })).data.items).toEqual([]);

  const unpriced = { ...body, prices: { ...prices, premiumBp: null } };
  expect((await editor.call(contract.previewNewCoin, { body: unpriced })).problem).toMatchObject({
    code: "coin.invalid",
    fields: { premiumBp: expect.any(String) as string },
  });
  const stored = await add();
  const taken = { ...body, facts: { ...facts, slug: stored.data.facts.slug } };
  expect((await editor.call(contract.previewNewCoin, { body: taken })).problem?.fields).toHaveProperty("slug");
});

test("a preview shows the photographs of the editor by its own key until it ends, and the coin keeps its own", async () => {
  const [old, fresh] = [await uploaded(), { ...(await uploaded()), alt: "Новый всадник" }];
  const { data } = await add({}, { pictures: { obverse: old, reverse: old, edge: null } });
  const pictures = { obverse: old, reverse: fresh, edge: null };
  const { data: preview } = await editor.call(contract.previewCoin, { params: { id: data.id }, body: { facts: data.facts, pictures } });
  const shown = await previewedCoin(previewing(preview.url), data.facts.slug);
  expect(shown?.pictures.alts).toEqual({ obverse: old.alt, reverse: fresh.alt });
  const [, previewId = "", key = ""] = /^preview\.(\d+)\.([\w-]{22})$/.exec(shown ? pictureOf(shown) : "") ?? [];
  const at = bench.ctx.now();
  const address = { previewId: Number(previewId), key, side: "reverse" as const, at };
  const { db } = bench.ctx;
  expect(await pictureAt(db, address)).toMatchObject({ isDraft: true, isFinal: false, photo: { pictureId: fresh.pictureId } });
  expect(await pictureAt(db, { ...address, side: "obverse" })).toMatchObject({ photo: { pictureId: old.pictureId } });
  expect(await pictureAt(db, { ...address, side: "edge" })).toMatchObject({ photo: null });
  expect(await pictureAt(db, { ...address, key: "A".repeat(22) })).toBeNull();
  expect(await pictureAt(db, { ...address, previewId: address.previewId + 1 })).toBeNull();
  expect(await pictureAt(db, { ...address, at: plus(at, minutes(30)) })).toBeNull();

  const reverse = () => pictureAt(db, { coinId: data.id, side: "reverse", revision: null });
  expect(await reverse()).toMatchObject({ photo: { pictureId: old.pictureId } });
  const body = { revision: data.revision, facts: data.facts, pictures };
  expect((await editor.call(contract.saveCoin, { params: { id: data.id }, body })).status).toBe(200);
  expect(await reverse()).toMatchObject({ photo: { pictureId: fresh.pictureId } });
});

test("a photograph that could not be saved is not previewed either", async () => {
  const { data } = await add();
  const picture = await uploaded();
  for (const edge of [
    { ...picture, pictureId: "no-such-picture" },
    { ...picture, crop: { left: 400, top: 0, size: 900 } },
  ]) {
    const body = { facts: data.facts, pictures: { ...noPictures, edge } };
    const { problem } = await editor.call(contract.previewCoin, { params: { id: data.id }, body });
    expect(problem).toMatchObject({ code: "coin.picture_wrong", data: { side: "edge" } });
  }
});

test("an uploaded photograph is stored upright as WebP, without the data of the camera", async () => {
  const turned = await sharp(await aPhoto())
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { data } = await upload(turned);
  expect(data).toMatchObject({ width: 900, height: 1_200 });
  const { response } = await editor.call(mediaContract.showPicture, { params: { id: data.id } });
  const stored = await sharp(response.rawPayload).metadata();
  expect(stored).toMatchObject({ format: "webp", width: 900, height: 1_200 });
  expect([stored.exif, stored.xmp, stored.icc]).toEqual([undefined, undefined, undefined]);
  expect(response.rawPayload.includes("secret")).toBe(false);
});

test("what is not a picture, too small, or a bomb is refused in words", async () => {
  const tiny = await aPhoto(300, 300);
  const bomb = pngBomb(20_000);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><script>alert(1)</script></svg>');
  const cases = [
    [Buffer.from("no picture at all, only words"), 415, "media.unreadable"],
    [svg, 415, "media.unreadable"],
    [(await aPhoto()).subarray(0, 200), 415, "media.unreadable"],
    [bomb, 415, "media.unreadable"],
    [tiny, 422, "media.too_small"],
    [Buffer.alloc(0), 422, "media.empty"],
  ] as const;
  expect(bomb.length).toBeLessThan(maxUploadBytes);
  for (const [bytes, status, code] of cases) {
    const { status: answered, problem } = await upload(bytes);
    expect([answered, problem?.code]).toEqual([status, code]);
    expect(problem?.message).toMatch(/[а-яё]/);
  }
  expect((await upload(Buffer.alloc(maxUploadBytes + 1))).problem?.code).toBe("request.too_large");
});

test("a file of 20 MB is accepted, and the same press twice stores it once", async () => {
  const noise = Buffer.alloc(2_500 * 2_400 * 3);
  for (let at = 0; at < noise.length; at += 1) noise[at] = (at * 2_654_435_761) >>> 24;
  const large = await sharp(noise, { raw: { width: 2_500, height: 2_400, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(large.length).toBeGreaterThan(15 * 1024 * 1024);
  expect(large.length).toBeLessThan(maxUploadBytes);
  const twice = await Promise.all([1, 2].map(() => editor.call(mediaContract.uploadPicture, { body: large, key: "one-press" })));
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect(twice[0]?.data.id).toBe(twice[1]?.data.id);
  expect(await media.pictures(bench.ctx.db, [twice[0]?.data.id ?? ""])).toHaveLength(1);
});

test("a call with a JSON body takes no file, and an upload takes nothing else", async () => {
  const { response } = await editor.call(contract.addCoin, { body: Buffer.from("{}") as never });
  expect(response.statusCode).toBe(415);
  expect((await editor.call(mediaContract.uploadPicture, { body: {} as never })).response.statusCode).toBe(415);
});

test("categories, series and synonyms are edited with messages beside the fields", async () => {
  const texts = { title: "Сеятель", heading: "Сеятель", intro: "", parent: "gold" };
  const wrong = await editor.call(categories.addCategory, { body: { slug: "Сеятель", ...texts } });
  expect(wrong.problem?.fields).toEqual({ slug: "Строчные латинские буквы и цифры через дефис, части через косую черту" });
  expect((await editor.call(categories.addCategory, { body: { slug: "gold/sower", ...texts } })).status).toBe(200);
  expect((await editor.call(categories.deleteCategory, { body: { slug: "gold" } })).problem).toMatchObject({
    code: "section.in_use",
    data: { children: 1 },
  });

  expect((await editor.call(categories.addSeries, { body: { name: "Красная книга", body: "О животных" } })).status).toBe(200);
  expect((await editor.call(categories.readSeries)).data.map(({ name }) => name)).toContain("Красная книга");

  const synonym = { phrase: "Жёлтый", meaning: "золото", before: null };
  expect((await editor.call(categories.saveSynonym, { body: synonym })).data).toEqual({ phrase: "желтый", meaning: "золото" });
  expect((await editor.call(categories.saveSynonym, { body: synonym })).problem?.code).toBe("synonym.taken");
  const before = { phrase: "желтый", meaning: "золото" };
  expect((await editor.call(categories.saveSynonym, { body: { ...synonym, meaning: "gold", before } })).status).toBe(200);
  expect((await editor.call(categories.deleteSynonym, { body: { phrase: "желтый", meaning: "gold" } })).status).toBe(200);
});

test("a synonym that a colleague changed or deleted meanwhile is neither overwritten nor deleted unseen", async () => {
  const save = (meaning: string, before: { phrase: string; meaning: string } | null) =>
    editor.call(categories.saveSynonym, { body: { phrase: "рыжик", meaning, before } });
  const [first, second] = [
    { phrase: "рыжик", meaning: "золото" },
    { phrase: "рыжик", meaning: "червонец" },
  ];
  await save("золото", null);
  expect((await save("червонец", first)).status).toBe(200);
  const late = await save("монета", first);
  expect([late.status, late.problem]).toMatchObject([409, { code: "staff.stale", data: { current: second } }]);
  expect((await editor.call(categories.deleteSynonym, { body: first })).problem).toMatchObject({
    code: "staff.stale",
    data: { current: second },
  });
  expect((await save("червонец", first)).status).toBe(200); // both make the same change
  expect((await editor.call(categories.deleteSynonym, { body: second })).status).toBe(200);
  expect((await save("монета", second)).problem).toMatchObject({ code: "staff.stale", data: { current: null } });
  expect((await editor.call(categories.deleteSynonym, { body: second })).problem?.code).toBe("staff.not_found");
});

test("every edit of a coin is a version with who and what, and earlier fields come back as a new edit", async () => {
  const { data: coin } = await add({ artist: "А. Бакланов", edge: "рубчатый" });
  const save = (revision: number, facts: CoinFacts) =>
    editor.call(contract.saveCoin, { params: { id: coin.id }, body: { revision, facts, pictures: noPictures } });
  const first = await save(0, { ...coin.facts, artist: "Другой художник", description: "Новый текст" });
  const second = await save(first.data.revision, { ...first.data.facts, artist: "Третий художник", edge: null });
  const { data: versions } = await editor.call(contract.readCoinVersions, { params: { id: coin.id } });
  expect(versions.items.map(({ action, actor }) => [action, actor])).toEqual([
    ["coin.save", editor.member.name],
    ["coin.save", editor.member.name],
    ["coin.add", editor.member.name],
  ]);
  expect(versions.items[0]).toMatchObject({
    before: { artist: "Другой художник", edge: "рубчатый" },
    after: { artist: "Третий художник", edge: null },
  });
  const entry = versions.items[1]!.id;
  const { data: version } = await editor.call(contract.readCoinVersion, { params: { id: coin.id, entry } });
  expect(version.facts).toEqual(coin.facts);
  const restored = await save(second.data.revision, version.facts);
  expect(restored.data.facts).toEqual(coin.facts);
  expect((await editor.call(contract.readCoinVersion, { params: { id: coin.id, entry: versions.items[2]!.id } })).status).toBe(404);
  expect((await editor.call(contract.readCoinVersion, { params: { id: 1, entry } })).status).toBe(404);
});

test("the reviews of a coin are read in every state, and of no other coin", async () => {
  const { data: coin } = await add();
  const of = (coinSlug: string, state: "pending" | "approved") => ({
    coinSlug,
    state,
    name: "Анна",
    rating: 5,
    body: "Хорошая монета",
    writtenOn: "2026-11-01",
  });
  await bench.ctx.db.insert(reviews).values([of(coin.facts.slug, "pending"), of("george", "approved"), of(coin.facts.slug, "approved")]);
  const { data } = await editor.call(reviewContract.readCoinReviews, { params: { id: coin.id } });
  expect(data.items.map(({ state }) => state)).toEqual(["approved", "pending"]);
  expect((await editor.call(reviewContract.readCoinReviews, { params: { id: 999_999 } })).status).toBe(404);
});
