import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as contract from "#contract/staff/customers/reviews.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { aBuyer, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { signUp } from "#shop/customers/testing.ts";
import type { NewReview } from "#shop/inquiries/review.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { roles } from "#shop/staff/role.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let editor: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100, limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 } });
  bench = await openStaffBench({ shop });
  editor = await bench.as("editor");
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  await bench.close();
});

async function written(values: Partial<NewReview> = {}, ctx = shop.ctx): Promise<number> {
  const review = {
    name: "Анна",
    city: "Тверь",
    email: "",
    rating: 5,
    coinId: null,
    body: "Пришло вовремя",
    isSuspect: false,
    mayThank: false,
  };
  const result = await inquiries.writeReview(ctx, { ...review, ...values });
  if (!result.ok) throw new Error(result.error.code);
  return result.value.id;
}
const queue = async (client = editor, state = "pending") => (await client.call(contract.readReviews, { query: { state } })).data;
const decide = (client: StaffClient, id: number, body: { revision: number; event: "approve" | "reject" | "withdraw"; reason?: string }) =>
  client.call(contract.decideReview, { params: { id }, body });
const shownIds = async () => (await inquiries.reviewsPage(shop.ctx, 1)).items.map(({ id }) => id);

async function paidOrder(content: Record<number, number>, owner = aVisitor("buyer")): Promise<{ id: string; number: number }> {
  const order = await shop.ordered(owner as never, content);
  await shop.paid(order);
  return order;
}

test("a page that begins behind no review is the first one", async () => {
  await written();
  const { status, data } = await editor.call(contract.readReviews, { query: { state: "pending", cursor: "99999999999" } });
  expect([status, data.items.length > 0]).toEqual([200, true]);
});

test("of two editors on one review one decides, and the second gets the present state", async () => {
  const id = await written();
  const second = await bench.as("editor");
  const results = await Promise.all([
    decide(editor, id, { revision: 0, event: "approve" }),
    decide(second, id, { revision: 0, event: "reject", reason: "реклама" }),
  ]);
  expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const won = results.find(({ status }) => status === 200)?.data;
  const refused = results.find(({ status }) => status === 409)?.problem;
  expect(refused).toMatchObject({ code: "staff.stale", data: { revision: 1, current: { id, state: won?.state } } });
  const entries = await shop.ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subject, `review:${id}`));
  expect(entries).toMatchObject([{ action: "review.decide", before: { state: "pending" }, after: { state: won?.state } }]);
});

test("a decision is taken back: the review waits again and visitors do not see it", async () => {
  const id = await written();
  const published = await decide(editor, id, { revision: 0, event: "approve" });
  expect(await shownIds()).toContain(id);
  expect(published.data).toMatchObject({ state: "approved", revision: 1 });
  expect((await decide(editor, id, { revision: 1, event: "approve" })).problem?.code).toBe("staff.act_refused");
  expect((await decide(editor, id, { revision: 1, event: "withdraw" })).data).toMatchObject({ state: "pending", decidedAt: null });
  expect(await shownIds()).not.toContain(id);
  expect((await queue()).items.map((each) => each.id)).toContain(id);
});

test("a rejection needs a reason, which only staff sees", async () => {
  const id = await written();
  expect((await decide(editor, id, { revision: 0, event: "reject" })).problem?.fields).toEqual({ reason: "Напишите, почему отклоняете" });
  expect((await decide(editor, id, { revision: 0, event: "reject", reason: "мат" })).data).toMatchObject({ rejectReason: "мат" });
  expect((await queue(editor, "rejected")).items.map((each) => each.id)).toContain(id);
});

test("a command of the server's command line counts as a change: an editor who opened the review before gets a conflict", async () => {
  const id = await written();
  await inquiries.decide(shop.ctx, id, "approve");
  expect((await decide(editor, id, { revision: 0, event: "reject", reason: "мат" })).problem?.code).toBe("staff.stale");
});

test("the shop's answer is shown with the review until it is removed", async () => {
  const id = await written();
  await decide(editor, id, { revision: 0, event: "approve" });
  const say = (revision: number, answer: string) => editor.call(contract.answerReview, { params: { id }, body: { revision, answer } });
  const shown = async () => (await inquiries.reviewsPage(shop.ctx, 1)).items.find((each) => each.id === id)?.answer;
  expect((await say(1, "  Спасибо! <b>Ждём</b> снова  ")).data).toMatchObject({ answer: "Спасибо! <b>Ждём</b> снова" });
  expect(await shown()).toBe("Спасибо! <b>Ждём</b> снова");
  expect((await say(1, "другой ответ")).problem?.code).toBe("staff.stale");
  expect((await say(2, "")).data).toMatchObject({ answer: "", answeredAt: null });
  expect(await shown()).toBe("");
});

test("a review names its author's paid order, by the account or only by the e-mail; not an unpaid one or one of another coin", async () => {
  const [first, second] = await inquiries
    .writeReview(shop.ctx, {
      name: "Никто",
      city: "",
      email: "nobody@example.ru",
      rating: 4,
      coinId: 2,
      body: "…",
      isSuspect: false,
      mayThank: false,
    })
    .then(async () => [await paidOrder({ 1: 1 }), await shop.ordered(aVisitor("unpaid"), { 2: 1 })]);
  const byMail = await written({ email: aBuyer.email.toUpperCase(), coinId: 1 });
  const otherCoin = await written({ email: aBuyer.email, coinId: 2 });
  const ofShop = await written({ email: aBuyer.email });
  const { customer } = await signUp(shop.ctx, "+79167770001");
  const own = await paidOrder({ 2: 1 }, `customer:${customer.id}`);
  const signedIn = await written({ coinId: 2 }, { ...shop.ctx, actor: { kind: "customer", id: customer.id } });

  const { items } = await queue(await bench.as("owner"));
  const purchaseOf = (id: number) => items.find((each) => each.id === id)?.purchase;
  expect(purchaseOf(byMail)).toMatchObject({ isConfirmed: false, order: { number: first?.number } });
  expect(purchaseOf(signedIn)).toMatchObject({ isConfirmed: true, order: { number: own.number } });
  expect(purchaseOf(ofShop)).toMatchObject({ isConfirmed: false });
  // The second order has coin 2 and the same mailbox, but only the account's own one is paid.
  expect(purchaseOf(otherCoin)).toMatchObject({ order: { number: own.number } });
  expect(second?.number).not.toBe(own.number);
  expect(items.find(({ name }) => name === "Никто")?.purchase).toBeNull();

  const forEditor = (await queue()).items.find((each) => each.id === byMail);
  expect(forEditor?.purchase).toMatchObject({ isConfirmed: false });
  expect(forEditor?.purchase?.order).toBeUndefined();
  expect(forEditor?.maskedEmail).toBe("I•••@EXAMPLE.RU");
});

test("only editors and owners moderate reviews", async () => {
  const id = await written();
  for (const role of roles) {
    const client = await bench.as(role);
    const may = role === "editor" || role === "owner";
    expect([role, (await client.call(contract.readReviews)).status]).toEqual([role, may ? 200 : 403]);
    expect([role, (await decide(client, id, { revision: 99, event: "approve" })).status]).toEqual([role, may ? 409 : 403]);
    expect([role, (await client.call(contract.answerReview, { params: { id }, body: { revision: 99, answer: "" } })).status]).toEqual([
      role,
      may ? 409 : 403,
    ]);
  }
});
