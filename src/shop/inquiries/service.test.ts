import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { desc, eq } from "drizzle-orm";
import * as catalog from "#shop/catalog/service.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { consents } from "#shop/customers/tables.ts";
import { outbox } from "#shop/notifications/tables.ts";
import { priceOf } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import * as rates from "#shop/rates/service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import type { NewInquiry } from "./inquiry.ts";
import type { NewReview } from "./review.ts";
import * as inquiries from "./service.ts";
import { inquiries as requests, reviews } from "./tables.ts";

let shop: TestShop;
beforeAll(async () => {
  const readMarket = async () => ({
    isOpen: true,
    ticks: (["XAU_RUB", "XAG_RUB"] as const).map((code) => ({
      code,
      valueE4: openingRatesE4[code],
      previousCloseE4: null,
      observedAt: shop.clock.now(),
    })),
  });
  const readDollar = async (effectiveOn: string) => ({ valueE4: openingRatesE4.USD_RUB, previousE4: openingRatesE4.USD_RUB, effectiveOn });
  shop = await testShop({ gateways: { rates: { readMarket, readDollar, readOfficialMetals: async () => [] } } });
  await rates.poll(shop.ctx);
  await putCoins(shop.ctx.db, [aCoin({ id: 7, slug: "seyatel" })]);
});
afterAll(() => shop.close());

const aReview = (values: Partial<NewReview> = {}): NewReview => ({
  name: "Анна",
  city: "Тверь",
  email: "anna@example.ru",
  rating: 5,
  coinId: null,
  body: "Пришло вовремя",
  isSuspect: false,
  mayThank: true,
  ...values,
});
const aBuyback = (): NewInquiry => ({
  kind: "buyback",
  name: "Олег",
  phone: "+79161234567",
  email: "oleg@example.ru",
  coins: [
    { title: "Сеятель 1976", count: 3 },
    { title: "Георгий 50 ₽", count: 1 },
  ],
  condition: "fair",
  note: "в капсулах",
  isSuspect: false,
  mayThank: true,
});

async function written(values: Partial<NewReview> = {}): Promise<number> {
  const result = await inquiries.writeReview(shop.ctx, aReview(values));
  if (!result.ok) throw new Error(result.error.code);
  return result.value.id;
}
const letters = (about: string) => shop.ctx.db.select().from(outbox).where(eq(outbox.about, about));
const shown = async (ctx = shop.ctx) => (await inquiries.reviewsPage(ctx, 1)).items;
const shownIds = async () => (await shown()).map(({ id }) => id);

describe("reviews", () => {
  test("a review is shown only after it is approved, and a rejected one is hidden again", async () => {
    const id = await written();
    expect(await shownIds()).not.toContain(id);
    expect((await inquiries.waiting(shop.ctx)).reviews.map((each) => each.id)).toContain(id);
    expect(await inquiries.decide(shop.ctx, id, "approve")).toEqual({ ok: true, value: { state: "approved" } });
    expect(await inquiries.decide(shop.ctx, id, "approve")).toEqual({ ok: true, value: { state: "approved" } });
    expect((await shown()).find((each) => each.id === id)).toEqual({
      id,
      name: "Анна",
      city: "Тверь",
      writtenOn: "2026-11-20",
      rating: 5,
      coinSlug: null,
      body: "Пришло вовремя",
      isDemo: false,
      answer: "",
    });
    await inquiries.decide(shop.ctx, id, "reject");
    expect(await shownIds()).not.toContain(id);
  });

  test("a review of a coin is shown with that coin; for an unknown coin it is refused", async () => {
    const id = await written({ coinId: 7 });
    await inquiries.decide(shop.ctx, id, "approve");
    expect((await inquiries.reviews(shop.ctx, "seyatel")).map((each) => each.id)).toEqual([id]);
    expect(await inquiries.writeReview(shop.ctx, aReview({ coinId: 999 }))).toEqual({ ok: false, error: { code: "product.not_found" } });
  });

  test("visitors never see an e-mail address", async () => {
    await inquiries.decide(shop.ctx, await written(), "approve");
    expect(JSON.stringify(await shown())).not.toContain("@");
  });

  test("invented samples are shown in a demo only", async () => {
    await shop.ctx.db
      .insert(reviews)
      .values({ id: 1, state: "approved", name: "Образец", rating: 4, body: "…", writtenOn: "2026-01-01", isDemo: true });
    expect(await shownIds()).toContain(1);
    expect((await shown({ ...shop.ctx, isDemo: false })).map(({ id }) => id)).not.toContain(1);
  });

  test("many reviews are divided into pages without gaps and repeats, with the rating of all", async () => {
    const other = await testShop();
    await other.ctx.db.insert(reviews).values(
      Array.from({ length: 50 }, (_, n) => ({
        state: n === 49 ? "pending" : "approved",
        name: `Покупатель ${n}`,
        rating: (n % 5) + 1,
        body: "…",
        writtenOn: n < 25 ? "2026-01-01" : "2026-02-01",
        isDemo: n === 0,
      })),
    );
    const pages = await Promise.all([1, 2, 3, 4].map((page) => inquiries.reviewsPage(other.ctx, page)));
    expect(pages.map(({ items }) => items.length)).toEqual([24, 24, 1, 0]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(49);
    expect(pages[0]).toMatchObject({ pages: 3, rating: { count: 49, counts: [10, 10, 10, 10, 9], average: 3 }, realRating: { count: 48 } });
    await other.close();
  });

  test("a decision about an unknown review is refused", async () => {
    for (const id of [0, -1, 1.5, Number.NaN, 1e12, 4242])
      expect(await inquiries.decide(shop.ctx, id, "approve")).toEqual({ ok: false, error: { code: "review.not_found" } });
  });
});

describe("letters", () => {
  test("the letter of thanks contains no text from the form; the letter to the staff has everything in its body only", async () => {
    const id = await written({ body: "КУПИТЕ СЛОНА", name: "Хитрый Робот" });
    const [desk, thanks] = (await letters(`review:${id}`)).sort((a, b) => a.kind.localeCompare(b.kind));
    expect([desk?.kind, desk?.recipient, thanks?.kind, thanks?.recipient]).toEqual([
      "inquiry_for_desk",
      "info@chekan.example",
      "inquiry_received",
      "anna@example.ru",
    ]);
    expect(desk?.text).toContain("КУПИТЕ СЛОНА");
    expect(desk?.text).toContain(`npm run desk -- review ${id} approve`);
    expect(desk?.subject).toBe(`Новый отзыв №${id} — Чекан`);
    expect(`${thanks?.subject} ${thanks?.text}`).not.toMatch(/СЛОНА|Хитрый/);
  });

  test("a form filled in faster than a person types is stored and reported to staff, and sends no letter of thanks", async () => {
    const id = await written({ isSuspect: true });
    const sent = await letters(`review:${id}`);
    expect(sent.map(({ kind }) => kind)).toEqual(["inquiry_for_desk"]);
    expect(sent[0]?.text).toContain("возможно, это робот");
  });

  test("a mailbox that has received its daily letters gets no more, and a missing one none", async () => {
    for (const values of [{ mayThank: false }, { email: "" }]) expect(await letters(`review:${await written(values)}`)).toHaveLength(1);
  });

  test("the desk lists the offered coins with number and condition", async () => {
    const { id } = await inquiries.submit(shop.ctx, aBuyback());
    const desk = (await letters(`inquiry:${id}`)).find(({ kind }) => kind === "inquiry_for_desk");
    expect(desk?.text).toContain("Монеты: Сеятель 1976 × 3\nГеоргий 50 ₽ × 1");
    expect(desk?.text).toContain("Состояние: удовлетворительное");
    expect(desk?.text).toContain("+79161234567");
  });
});

test("coins for sale are estimated by the current list; the inquiry, its answer and both letters agree", async () => {
  await putCoins(shop.ctx.db, [aCoin({ id: 31, slug: "ezh-31", title: "Ёж  лесной, 25 рублей 2020" })]);
  await pricing.refresh(shop.ctx);
  const [coin] = await catalog.coinsByIds(shop.ctx.db, [31]);
  const each = priceOf(coin!, await pricing.current(shop.ctx)).buyback!;
  const { id, estimate } = await inquiries.submit(shop.ctx, {
    ...aBuyback(),
    kind: "buyback",
    condition: "good",
    coins: [
      { title: "еж лесной, 25 рублей 2020", count: 3 },
      { title: "Медаль", count: 1 },
    ],
  } as NewInquiry);
  const most = Math.floor((each * 3 * 0.99) / 100) * 100;
  expect(estimate).toMatchObject({
    isWhole: false,
    lines: [
      { each, sum: each * 3 },
      { each: null, sum: null },
    ],
    range: { most },
  });
  const [row] = await shop.ctx.db.select().from(requests).where(eq(requests.id, id));
  expect(row?.details).toMatchObject({ estimate: { ...estimate, priceListVersion: (await pricing.current(shop.ctx)).version } });
  const digits = (text: string) => text.replaceAll(/[\s\u00A0]/g, "");
  const sent = await letters(`inquiry:${id}`);
  expect(sent.map(({ text }) => digits(text).includes(`до${most / 100}₽,безмонет`))).toEqual([true, true]);
  expect(sent.find(({ kind }) => kind === "inquiry_received")?.text).not.toContain("Медаль"); // no text from the form
});

test("each form stores the consent it was sent with: text version and purpose", async () => {
  const review = await written();
  const { id } = await inquiries.submit(shop.ctx, aBuyback());
  const [second, first] = await shop.ctx.db.select().from(consents).orderBy(desc(consents.id)).limit(2);
  expect(first).toMatchObject({ about: `review:${review}`, purpose: "review", textVersion: "review-2026-11", at: shop.ctx.now() });
  expect(second).toMatchObject({ about: `inquiry:${id}`, purpose: "inquiry", textVersion: "request-2026-11" });
});

test("an inquiry waits until staff answers it, once", async () => {
  const { id } = await inquiries.submit(shop.ctx, {
    kind: "callback",
    name: "",
    phone: "+79160000000",
    email: "",
    convenientTime: "после обеда",
    note: "",
    isSuspect: false,
    mayThank: false,
  });
  expect((await inquiries.waiting(shop.ctx)).inquiries).toContainEqual({
    id,
    kind: "callback",
    name: "",
    phone: "+79160000000",
    createdAt: shop.ctx.now(),
    dueAt: expect.any(Date) as Date,
    isSuspect: false,
    assignee: null,
  });
  expect(await inquiries.close(shop.ctx, id, "answer")).toEqual({ ok: true, value: { state: "answered" } });
  expect(await inquiries.close(shop.ctx, id, "answer")).toEqual({ ok: true, value: { state: "answered" } });
  expect((await inquiries.waiting(shop.ctx)).inquiries.map((each) => each.id)).not.toContain(id);
  expect(await inquiries.close(shop.ctx, 4242, "answer")).toEqual({ ok: false, error: { code: "inquiry.not_found" } });
});

test("an answered inquiry is deleted after a year, as the policy promises; a waiting one is not", async () => {
  const request = () =>
    inquiries.submit(shop.ctx, {
      kind: "callback",
      name: "",
      phone: "+79160000001",
      email: "",
      convenientTime: "",
      note: "",
      isSuspect: false,
      mayThank: false,
    });
  const [answered, waiting] = [await request(), await request()];
  await inquiries.close(shop.ctx, answered.id, "answer");
  const left = async () => (await shop.ctx.db.select({ id: requests.id }).from(requests)).map(({ id }) => id);
  shop.clock.advance(364 * 86_400_000);
  await inquiries.deleteOldAnswered(shop.ctx);
  expect(await left()).toEqual(expect.arrayContaining([answered.id, waiting.id]));
  shop.clock.advance(2 * 86_400_000);
  await inquiries.deleteOldAnswered(shop.ctx);
  expect(await left()).not.toContain(answered.id);
  expect(await left()).toContain(waiting.id);
});
