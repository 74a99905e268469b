import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import * as approvalCalls from "#contract/staff/access/approvals.ts";
import * as contract from "#contract/staff/buyback/buyback.ts";
import { findAnything } from "#contract/staff/search.ts";
import { readWaiting } from "#contract/staff/waiting/waiting.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { hours } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { approvals } from "#shop/staff/tables.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as deals from "#shop/buyback/service.ts";
import { inquiries as inquiryRows } from "#shop/inquiries/tables.ts";
import { isAccount } from "#shop/seller.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let desk: StaffClient;
let owner: StaffClient;
let accountant: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    coins: [
      aCoin({ id: 1, title: "Георгий Победоносец", catalogueNumber: "5216-0060" }),
      aCoin({ id: 2, title: "Соболь", metal: "silver", pureMassMg: 31_100, totalMassMg: 31_200 }),
    ],
    limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 },
  });
  bench = await openStaffBench({ shop });
  [desk, owner, accountant] = [await bench.as("buyback"), await bench.as("owner"), await bench.as("accountant")];
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

const bik = "044525225";
/** An account with the control digit that this bank needs. */
const account =
  Array.from({ length: 10 }, (_, digit) => `40817810${digit}99910004312`).find((each) => isAccount(each, bik.slice(-3))) ?? "";
const params = (id: number) => ({ id: String(id) });
type Line = z.input<typeof contract.checkDeal.body>["lines"][number];
const line = (coin: number, quantity: number, unitPrice: number): Line => ({ coin, quantity, condition: "good", unitPrice });
/** The lines of an offer with prices typed by hand. */
const typed = (...lines: Line[]) => lines.map((each) => ({ ...each, isTyped: true }));
const person = { name: "Пётр Нумизматов", phone: "+7 916 111-22-33" };

async function made(lines: Line[], who = desk) {
  const created = await who.call(contract.createDeal, { body: { ...person, lines: typed(...lines), lock: true } });
  expect([created.status, created.problem]).toEqual([200, null]);
  return created.data;
}
const passport = (number: string) => ({
  lastName: `Нумизматов-${number}`,
  name: "Пётр",
  birthDate: "01.05.1980",
  kind: "passport" as const,
  series: "45 10",
  number,
  issuedBy: "ОВД Арбат",
  issuedOn: "01.06.2005",
  address: "Москва, Арбат, 1",
});
async function payable(lines: Line[], number: string) {
  const { id } = await made(lines);
  await desk.call(contract.receiveDeal, { params: params(id), body: { revision: 0 } });
  await desk.call(contract.checkDeal, { params: params(id), body: { revision: 1, lines } });
  const known = await desk.call(contract.saveIdentity, { params: params(id), body: { revision: 2, ...passport(number) } });
  expect([known.status, known.problem]).toEqual([200, null]);
  return known.data;
}
let orders = 500;
const payment = ({ revision, sum }: { revision: number; sum: number }) => ({
  revision,
  sum,
  account,
  bik,
  number: String((orders += 1)),
  date: "20.11.2026",
});
const auditOf = async (id: number) =>
  shop.ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subject, `buyback:${id}`))
    .orderBy(auditEntries.id);

test("a deal begins with the coins, condition and contacts of a request, at today's prices", async () => {
  const { id: requestId } = await inquiries.submit(shop.ctx, {
    kind: "buyback",
    name: "Анна Собирателева",
    phone: "+79165556677",
    email: "anna@example.ru",
    coins: [
      { title: "георгий победоносец", count: 2 },
      { title: "Неизвестная", count: 1 },
    ],
    condition: "fair",
    note: "",
    isSuspect: false,
  } as never);
  const form = (await desk.call(contract.readDealForm, { query: { request: String(requestId) } })).data;
  expect(form.lockHours).toBe(24);
  expect(form.request).toMatchObject({ name: "Анна Собирателева", condition: "fair", dealId: null });
  expect(form.request?.maskedPhone).not.toContain("555");
  const [known, unknown] = form.request?.coins ?? [];
  expect([known?.coin?.id, known?.quantity, unknown?.coin]).toEqual([1, 2, null]);
  const { prices } = known?.coin ?? {};
  expect(prices?.damaged).toBeNull();
  expect(prices?.fair).toBeLessThan(prices?.perfect ?? 0);
  const created = await desk.call(contract.createDeal, {
    body: {
      request: requestId,
      lines: [{ coin: 1, quantity: 2, condition: "fair", unitPrice: prices?.fair ?? 0, isTyped: false }],
      lock: true,
    },
  });
  expect(created.data).toMatchObject({ state: "locked", name: "Анна Собирателева", requestId, assignee: desk.member.login });
  const opened = await desk.call(contract.openDealContacts, { params: params(created.data.id), body: {} });
  expect(opened.data).toMatchObject({ phone: "+79165556677", email: "anna@example.ru" });
  const colleague = await bench.as("buyback");
  expect((await colleague.call(contract.openDealContacts, { params: params(created.data.id), body: {} })).problem?.code).toBe(
    "staff.forbidden",
  );
  const again = (await desk.call(contract.readDealForm, { query: { request: String(requestId) } })).data;
  expect(again.request?.dealId).toBe(created.data.id);
});

test("wrong lines are refused beside each field", async () => {
  const sent = await desk.call(contract.createDeal, {
    body: { lines: typed(line(1, 0, 1), line(1, 1, 1.5)), name: "", phone: "" },
  });
  expect(sent.problem?.fields).toMatchObject({
    "lines.0.quantity": "Хотя бы одна монета",
    "lines.1.unitPrice": "Целые рубли",
  });
  const twice = await desk.call(contract.createDeal, { body: { ...person, lines: typed(line(1, 1, 1), line(1, 2, 1)) } });
  expect(twice.problem?.fields).toMatchObject({ "lines.1.coin": "Эта монета уже есть в сделке" });
  const unknown = await desk.call(contract.createDeal, { body: { ...person, lines: typed(line(77, 1, 1)) } });
  expect(unknown.problem?.fields).toEqual({ lines: "Таких монет нет: 77" });
  const anonymous = await desk.call(contract.createDeal, { body: { lines: typed(line(1, 1, 1)) } });
  expect(Object.keys(anonymous.problem?.fields ?? {})).toEqual(["name", "phone"]);
  const misdialled = await desk.call(contract.createDeal, { body: { ...person, phone: "123", lines: typed(line(1, 1, 1)) } });
  expect(misdialled.problem?.fields).toEqual({ phone: "Телефон указан неверно" });
});

test("a sum that no screen can have shown is a wrong input, and no fault of the server", async () => {
  const { id, revision } = await payable([line(2, 1, 4_000)], "333444");
  for (const sum of [1e23, 9_007_199_254_740_991, 4_000.000_01, -1]) {
    const lock = await desk.call(contract.lockDeal, { params: params(id), body: { revision, sum } });
    const renewal = await desk.call(contract.renewDeal, { params: params(id), body: { revision, sum } });
    const payout = await accountant.call(contract.payDeal, { params: params(id), body: payment({ revision, sum }) });
    expect([lock, renewal, payout].map(({ problem }) => problem?.code)).toEqual(Array.from({ length: 3 }, () => "request.invalid"));
  }
});

test("repeated presses are carried out once, and a stale one shows what is stored", async () => {
  const { id } = await made([line(2, 1, 4_000)]);
  const press = { params: params(id), body: { revision: 0 }, key: "receive-1" };
  for (const _ of [1, 2]) expect((await desk.call(contract.receiveDeal, press)).data.state).toBe("received");
  const stale = await owner.call(contract.receiveDeal, { params: params(id), body: { revision: 0 } });
  expect(stale.problem).toMatchObject({ code: "staff.stale", data: { revision: 1, current: { state: "received" } } });
  expect((await auditOf(id)).map(({ action }) => action)).toEqual(["buyback.create", "buyback.receive"]);
});

describe("a payout", () => {
  test("of the desk is approved by a second person; it binds account and sum, and is made once", async () => {
    const deal = await payable([line(2, 2, 4_000)], "100001");
    const asked = await desk.call(contract.payDeal, { params: params(deal.id), body: payment(deal) });
    expect([asked.status, asked.approval?.reason]).toEqual([202, "При такой роли это действие подтверждает второй сотрудник"]);
    const shown = await accountant.call(approvalCalls.readApproval, { params: { id: asked.approval?.id ?? "" } });
    expect(shown.data.shown?.after).toMatchObject({ account, bik });
    const [listed] = (await accountant.call(approvalCalls.readApprovals, { query: { record: String(deal.id) } })).data.items;
    expect([listed?.shown?.after.account, listed?.body]).toEqual(["•••• 4312", expect.objectContaining({ account: "•••• 4312" })]);
    expect(JSON.stringify(await shop.ctx.db.select().from(approvals))).not.toContain(account);
    expect((await desk.call(approvalCalls.approve, { params: { id: asked.approval?.id ?? "" } })).problem).not.toBeNull();
    expect((await accountant.call(approvalCalls.approve, { params: { id: asked.approval?.id ?? "" } })).status).toBe(200);
    const paid = (await accountant.call(contract.readDeal, { params: params(deal.id) })).data;
    expect(paid).toMatchObject({ state: "paid", payout: { sum: 8_000, maskedAccount: "•••• 4312" }, needsReceipt: true });
    const again = await accountant.call(contract.payDeal, { params: params(deal.id), body: payment(deal) });
    expect(again.problem?.code).toBe("staff.stale");
  });

  test("of the accountant goes through at once, over 300 000 ₽ or under control with a second person", async () => {
    const small = await payable([line(1, 3, 100_000)], "100002");
    expect((await accountant.call(contract.payDeal, { params: params(small.id), body: payment(small) })).status).toBe(200);
    const large = await payable([line(1, 4, 100_000)], "100002");
    expect((await accountant.call(contract.payDeal, { params: params(large.id), body: payment(large) })).approval?.reason).toContain("300");
    expect((await owner.call(contract.readDeal, { params: params(large.id) })).data.payoutApproval).toContain("300");
    const most = await payable([line(1, 7, 100_000)], "100002");
    expect(most.identity).toMatchObject({ paidInYear: 300_000, isUnderControl: true });
    const asked = await accountant.call(contract.payDeal, { params: params(most.id), body: payment(most) });
    expect(asked.approval?.reason).toContain("115-ФЗ");
    await owner.call(approvalCalls.approve, { params: { id: asked.approval?.id ?? "" } });
    expect((await owner.call(contract.readDeal, { params: params(most.id) })).data).toMatchObject({ state: "paid", isFlagged: true });
  });

  test("is refused with a wrong account, another sum, or a payment order that is known, before it needs approval", async () => {
    const [deal, other] = [await payable([line(2, 1, 4_000)], "100003"), await payable([line(2, 1, 4_000)], "100003")];
    const sent = payment(deal);
    const wrong = await desk.call(contract.payDeal, { params: params(deal.id), body: { ...sent, account: `${account.slice(0, -1)}9` } });
    expect(wrong.problem?.fields).toEqual({ account: "Контрольная цифра счёта не сходится с БИК" });
    const sum = await desk.call(contract.payDeal, { params: params(deal.id), body: { ...sent, sum: 3_999 } });
    expect(sum.problem).toMatchObject({ code: "buyback.other_sum", data: { sum: 4_000 } });
    await accountant.call(contract.payDeal, { params: params(deal.id), body: sent });
    const known = await desk.call(contract.payDeal, { params: params(other.id), body: { ...payment(other), number: sent.number } });
    expect(known.problem).toMatchObject({ code: "buyback.order_known", data: { dealId: deal.id } });
  });
});

test("the identity document is in no answer, audit or log but its own, whose opening the audit records", async () => {
  const deal = await payable([line(2, 1, 4_000)], "987654");
  const card = await desk.call(contract.readDeal, { params: params(deal.id) });
  const list = await desk.call(contract.readDeals);
  for (const { response } of [card, list]) expect(response.body).not.toMatch(/987654|Арбат|ОВД/);
  const opened = await desk.call(contract.openIdentity, { params: params(deal.id) });
  expect(opened.data).toMatchObject({ series: "4510", number: "987654", birthDate: "1980-05-01" });
  const printed = await desk.call(contract.printContract, { params: params(deal.id) });
  expect([printed.status, printed.response.rawPayload.subarray(0, 4).toString()]).toEqual([200, "%PDF"]);
  expect((await accountant.call(contract.openIdentity, { params: params(deal.id) })).problem?.code).toBe("staff.forbidden");
  const colleague = await bench.as("buyback");
  for (const call of [contract.openIdentity, contract.printContract])
    expect((await colleague.call(call, { params: params(deal.id) })).problem?.code).toBe("staff.forbidden");
  const entries = await auditOf(deal.id);
  expect(entries.map(({ action }) => action).slice(-3)).toEqual([
    "buyback.save_identity",
    "buyback.open_identity",
    "buyback.print_contract",
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/987654|Арбат|1980|916111/);
});

test("a phone typed into the name is masked, and the history has the names of colleagues", async () => {
  const body = { ...person, name: "Пётр 8 916 123-45-67", lines: typed(line(2, 1, 4_000)) };
  const { data: deal } = await desk.call(contract.createDeal, { body });
  const answers = [
    await desk.call(contract.readDeal, { params: params(deal.id) }),
    await desk.call(contract.readDeals),
    await desk.call(findAnything, { query: { q: String(deal.id) } }),
  ];
  for (const { response } of answers) expect(response.body).not.toContain("123-45-67");
  expect(deal.history.map(({ by }) => by)).toEqual([desk.member.name]);
});

test("days after today are refused beside their fields", async () => {
  const { id, revision } = await made([line(2, 1, 4_000)]);
  const future = { ...passport("100020"), birthDate: "01.01.2099", issuedOn: "01.01.2099" };
  const sent = await desk.call(contract.saveIdentity, { params: params(id), body: { revision, ...future } });
  expect(Object.keys(sent.problem?.fields ?? {})).toEqual(["birthDate", "issuedOn"]);
  const deal = await payable([line(2, 1, 4_000)], "100020");
  const paid = await desk.call(contract.payDeal, { params: params(deal.id), body: { ...payment(deal), date: "01.01.2099" } });
  expect(paid.problem?.fields).toEqual({ date: "Этот день ещё не наступил" });
});

test("a paid deal waits for its receipt of expense and for the shelf; one press puts the coins there with their cost", async () => {
  const deal = await payable([line(2, 2, 4_100)], "100009");
  const paid = (await accountant.call(contract.payDeal, { params: params(deal.id), body: payment(deal) })).data;
  const groupsOf = async (client: StaffClient) => (await client.call(readWaiting)).data.map(({ id }) => id);
  expect(await groupsOf(accountant)).toEqual(expect.arrayContaining(["buyback_receipt"]));
  expect(await groupsOf(accountant)).not.toContain("buyback_shelve");
  expect(await groupsOf(desk)).toContain("buyback_shelve");
  const numbers = { storageNumber: "9960440300000001", documentNumber: "12", attribute: "345" };
  const receipt = await accountant.call(contract.recordDealReceipt, {
    params: params(deal.id),
    body: { revision: paid.revision, ...numbers },
  });
  expect(receipt.data).toMatchObject({ receipt: numbers, needsReceipt: false });
  const press = { params: params(deal.id), body: { revision: receipt.data.revision }, key: "shelve-1" };
  const results = [await desk.call(contract.shelveDeal, press), await desk.call(contract.shelveDeal, press)];
  expect(results.map(({ data }) => data.state)).toEqual(["shelved", "shelved"]);
});

test("what waits says which offers run out today, received deals to check and checked ones to pay, by permission", async () => {
  const locked = await made([line(2, 1, 4_000)]);
  await payable([line(2, 1, 4_000)], "100010");
  const received = await made([line(2, 1, 4_000)]);
  await desk.call(contract.receiveDeal, { params: params(received.id), body: { revision: 0 } });
  const ids = async (client: StaffClient) =>
    (await client.call(readWaiting)).data.filter(({ id }) => id.startsWith("buyback_")).map(({ id }) => id);
  expect(await ids(accountant)).toEqual(["buyback_pay", "buyback_receipt"]);
  expect(await ids(desk)).toEqual(expect.arrayContaining(["buyback_check", "buyback_pay", "buyback_shelve"]));
  expect(await ids(await bench.as("sales"))).toEqual([]);
  shop.clock.advance(hours(13));
  const [morning, evening] = [await bench.as("buyback"), await bench.as("owner")];
  expect(await ids(morning)).toContain("buyback_expiring");
  shop.clock.advance(hours(12));
  const late = await bench.as("owner");
  const card = (await late.call(contract.readDeal, { params: params(locked.id) })).data;
  expect([card.isExpired, card.acts.includes("receive"), card.acts.includes("cancel")]).toEqual([true, false, true]);
  expect((await late.call(contract.receiveDeal, { params: params(locked.id), body: { revision: 0 } })).problem?.code).toBe(
    "buyback.expired",
  );
  expect(evening.member.roles).toEqual(["owner"]);
});

test("a deal waits since its coins came or were checked, for the accountant once its document is recorded, with names in its history", async () => {
  const [clerk, payer] = [await bench.as("buyback"), await bench.as("accountant")];
  const group = async (client: StaffClient, wanted: string) => (await client.call(readWaiting)).data.find(({ id }) => id === wanted);
  for (const { id, revision } of (await clerk.call(contract.readDeals, { query: { part: "received" } })).data.items)
    await clerk.call(contract.returnDeal, { params: params(id), body: { revision, reason: "Передумал" } });
  const deal = await made([line(2, 1, 4_000)], clerk);
  const payableBefore = (await group(payer, "buyback_pay"))?.count ?? 0;
  const cameAt = isoMoscow(shop.ctx.now());
  await clerk.call(contract.receiveDeal, { params: params(deal.id), body: { revision: 0 } });
  shop.clock.advance(hours(1));
  const own = await clerk.call(contract.readDeal, { params: params(deal.id) });
  const from = own.data.assignee;
  expect(own.data).toMatchObject({ assignee: clerk.member.login, assigneeName: clerk.member.name });
  const { items } = (await payer.call(contract.readDeals, { query: { part: "received" } })).data;
  expect(items.find(({ id }) => id === deal.id)?.assigneeName).toBe(clerk.member.name);
  const assigned = await clerk.call(contract.assignDeal, { params: params(deal.id), body: { from, assignee: null } });
  expect(assigned.data).toMatchObject({ assignee: null, revision: own.data.revision });
  const late = await clerk.call(contract.assignDeal, { params: params(deal.id), body: { from, assignee: null } });
  expect(late.problem).toMatchObject({ code: "staff.stale", data: { current: { assignee: null, assigneeName: null } } });
  expect((await group(clerk, "buyback_check"))?.since).toBe(cameAt);
  const { revision } = (await clerk.call(contract.readDeal, { params: params(deal.id) })).data;
  const checked = await clerk.call(contract.checkDeal, { params: params(deal.id), body: { revision, lines: [line(2, 1, 4_000)] } });
  expect((await group(payer, "buyback_pay"))?.count ?? 0).toBe(payableBefore);
  expect((await group(clerk, "buyback_pay"))?.count).toBe(payableBefore + 1);
  const document = { revision: checked.data.revision, ...passport("100011") };
  const { data } = await clerk.call(contract.saveIdentity, { params: params(deal.id), body: document });
  expect((await group(payer, "buyback_pay"))?.count).toBe(payableBefore + 1);
  expect(data.history.at(-1)?.by).toBe(clerk.member.name);
});

test("Ctrl-K finds a deal by number and name; by phone only the caller's own or with the permission to open contacts", async () => {
  const [own, other] = [await bench.as("buyback"), await bench.as("buyback")];
  const { id } = await made([line(2, 1, 4_000)], own);
  const found = async (client: StaffClient, q: string) =>
    (await client.call(findAnything, { query: { q } })).data.deals.map((deal) => deal.id);
  expect(await found(other, String(id))).toContain(id);
  expect(await found(other, "нумизматов")).toContain(id);
  expect(await found(own, "89161112233")).toContain(id);
  expect(await found(other, "89161112233")).toEqual([]);
  expect(await found(await bench.as("accountant"), "1112233")).toContain(id);
  expect(await found(await bench.as("sales"), String(id))).toEqual([]);
  const listed = await own.call(contract.readDeals, { query: { text: "1112233", assignee: own.member.login } });
  expect(listed.data.items.map((deal) => deal.id)).toEqual([id]);
});

test("the check proposes the prices that were locked, whatever the metal costs since", async () => {
  const clerk = await bench.as("buyback");
  await shop.receiveRates({ gold: 11_500 });
  const prices = async () => (await clerk.call(contract.findDealCoins, { query: { text: "1" } })).data[0]?.prices;
  const promised = await prices();
  const deal = await made([line(1, 1, promised?.good ?? 0)], clerk);
  await shop.receiveRates({ gold: 12_500 });
  expect(await prices()).not.toEqual(promised);
  const { data } = await clerk.call(contract.receiveDeal, { params: params(deal.id), body: { revision: 0 } });
  expect(data.lines[0]?.coin.prices).toEqual(promised);
});

test("an offer at prices that are no longer today's is refused with those of today, and no deal is made", async () => {
  const clerk = await bench.as("buyback");
  await shop.receiveRates({ gold: 11_500 });
  const coin = async () => (await clerk.call(contract.findDealCoins, { query: { text: "1" } })).data[0]!;
  const shown = await coin();
  const deal = { ...person, lines: [{ ...line(1, 1, shown.prices.good ?? 0), isTyped: false }] };
  await shop.receiveRates({ gold: 12_500 });
  const refused = await clerk.call(contract.createDeal, { body: deal, key: "old-prices" });
  expect(refused.problem).toMatchObject({ code: "buyback.other_prices", data: { coins: [await coin()] } });
  const today = (await coin()).prices.good;
  const lines = [{ ...line(1, 1, today ?? 0), isTyped: false }];
  const made = await clerk.call(contract.createDeal, { body: { ...deal, lines }, key: "old-prices" });
  expect(made.data.lines[0]?.offered).toEqual({ quantity: 1, condition: "good", unitPrice: today, isTyped: false });
});

test("a deal is not made from the request of a colleague; the accountant waits for documents to pay, since the check", async () => {
  const { id: requestId } = await inquiries.submit(shop.ctx, {
    kind: "buyback",
    name: "Анна",
    phone: "+79165556677",
    email: "",
    coins: [],
    condition: "good",
    note: "",
    isSuspect: false,
  } as never);
  const colleague = await bench.as("buyback");
  await shop.ctx.db.update(inquiryRows).set({ assignee: colleague.member.login }).where(eq(inquiryRows.id, requestId));
  const wanted = { body: { request: requestId, lines: typed(line(2, 1, 4_000)) } };
  expect((await (await bench.as("buyback")).call(contract.createDeal, wanted)).problem?.code).toBe("staff.forbidden");
  const { data: deal } = await colleague.call(contract.createDeal, { body: { ...wanted.body, lock: true } });
  expect(deal.state).toBe("locked");

  const waits = async (client: StaffClient) => (await client.call(readWaiting)).data.find(({ id }) => id === "buyback_pay");
  const [owner, accountant] = [await bench.as("owner"), await bench.as("accountant")];
  const before = [(await waits(owner))?.count ?? 0, (await waits(accountant))?.count ?? 0];
  await colleague.call(contract.receiveDeal, { params: params(deal.id), body: { revision: 0 } });
  await colleague.call(contract.checkDeal, { params: params(deal.id), body: { revision: 1, lines: [line(2, 1, 4_000)] } });
  expect([(await waits(owner))?.count, (await waits(accountant))?.count ?? 0]).toEqual([(before[0] ?? 0) + 1, before[1]]);
  const { waitsSince, changedAt } = (await deals.find(shop.ctx, deal.id))!;
  shop.clock.advance(hours(1));
  const late = await colleague.call(contract.assignDeal, {
    params: params(deal.id),
    body: { from: colleague.member.login, assignee: null },
  });
  expect(late.problem).toBeNull();
  expect(waitsSince).toEqual(changedAt);
  expect((await deals.find(shop.ctx, deal.id))?.waitsSince).toEqual(waitsSince);
});
