import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exportAudit, readAudit } from "#contract/staff/access/audit.ts";
import * as contract from "#contract/staff/customers/customers.ts";
import { days, minutes, plus, seconds } from "#kit/time.ts";
import * as audit from "#shop/audit/service.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import * as auth from "#shop/auth/service.ts";
import { anSmsInbox } from "#shop/auth/testing.ts";
import { saveEntries } from "#shop/checkout/entries/entries.service.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as customers from "#shop/customers/service.ts";
import { consents as consentTable, customerNotes, customers as customerTable } from "#shop/customers/tables.ts";
import { signUp } from "#shop/customers/testing.ts";
import { paymentIds } from "#shop/method-ids.ts";
import * as orders from "#shop/orders/service.ts";
import { orders as orderTable } from "#shop/orders/tables.ts";
import * as newsletter from "#shop/newsletter/service.ts";
import { roles, type Role } from "#shop/staff/role.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let phones: ReturnType<typeof anSmsInbox>;
let sales: StaffClient;
let owner: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100, limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 } });
  phones = anSmsInbox();
  shop.ctx.gateways.sms = phones;
  bench = await openStaffBench({ shop });
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  await bench.close();
});
beforeEach(async () => {
  shop.clock.advance(seconds(1));
  [sales, owner] = [await bench.as("sales"), await bench.as("owner")];
});

let serial = 0;
async function aCustomer(values: { name?: string; lastName?: string; email?: string } = {}): Promise<{ id: string; phone: string }> {
  serial += 1;
  shop.clock.advance(seconds(1));
  const phone = `+7916555${String(serial).padStart(4, "0")}`;
  const { customer } = await signUp(shop.ctx, phone);
  await customers.update(shop.ctx, customer.id, { name: "Анна", lastName: "Семёнова", email: `anna${serial}@example.ru`, ...values });
  return { id: customer.id, phone };
}
const find = async (text: string, client = sales) =>
  (await client.call(contract.findCustomers, { query: { text } })).data.items.map(({ id }) => id);
const auditOf = async (subject: string) =>
  (await shop.ctx.db.select().from(auditEntries).where(eq(auditEntries.subject, subject)).orderBy(auditEntries.id)).map(
    ({ actor, action }) => `${actor} ${action}`,
  );

test("a customer is found by the end of the phone, by a name in either order and any case, and by the start of the e-mail", async () => {
  const { id, phone } = await aCustomer({ name: "Пётр", lastName: "Журавлёв", email: "pyotr.zh@example.ru" });
  const other = await aCustomer({ name: "Журавка", lastName: "Иванов" });
  for (const text of [
    phone.slice(-4),
    `•• ${phone.slice(-4, -2)}-${phone.slice(-2)}`,
    phone,
    "журавлев",
    "ЖУРАВЛЁВ пет",
    "Пётр Жур",
    "PYOTR",
    "pyotr.zh@",
  ])
    expect([text, await find(text)]).toEqual([text, [id]]);
  expect(await find("журав")).toEqual([other.id, id]); // newest first
  for (const text of ["Журавлёв Ан", "example.ru", "%", "_", "12", "ж"]) expect([text, await find(text)]).toEqual([text, []]);
});

test("the list goes on where its page ended", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 52; n += 1) ids.unshift((await aCustomer({ lastName: "Страницын" })).id);
  const first = (await sales.call(contract.findCustomers, { query: { text: "страницын" } })).data;
  const second = (await sales.call(contract.findCustomers, { query: { text: "страницын", cursor: first.next ?? "" } })).data;
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect(second.next).toBeNull();
});

describe("contacts", () => {
  test("no role gets a full phone or e-mail in the list or on the card", async () => {
    const { id, phone } = await aCustomer({ email: "secret.person@example.ru" });
    for (const role of roles) {
      const client = await bench.as(role);
      const list = await client.call(contract.findCustomers, { query: { text: phone.slice(-4) } });
      const card = await client.call(contract.readCustomer, { params: { id } });
      for (const { response } of [list, card]) expect(response.body).not.toMatch(new RegExp(`${phone.slice(2)}|secret\\.person`));
      const may = ["sales", "accountant", "owner", "admin"].includes(role);
      expect([role, list.status, card.status]).toEqual([role, may ? 200 : 403, may ? 200 : 403]);
    }
  });

  test("opening them is in the audit, and needs more than the permission to read", async () => {
    const { id, phone } = await aCustomer();
    const opened = await sales.call(contract.openCustomer, { params: { id } });
    expect(opened.data).toMatchObject({ phone, email: expect.stringContaining("@example.ru") });
    expect((await (await bench.as("admin")).call(contract.openCustomer, { params: { id } })).problem?.code).toBe("staff.forbidden");
    expect(await auditOf(`customer:${id}`)).toEqual([`staff:${sales.member.login} customer.open_contacts`]);
  });
});

test("the card shows orders, consents with text and time, newsletter, notes; sums and orders only with permission", async () => {
  const { id } = await aCustomer();
  await customers.setNewsletter(shop.ctx, id, true);
  const order = await shop.ordered(`customer:${id}`, { 1: 2 });
  await sales.call(contract.addCustomerNote, { params: { id }, body: { text: "просит звонить вечером" } });
  const card = (await sales.call(contract.readCustomer, { params: { id } })).data;
  expect(card).toMatchObject({
    name: "Семёнова Анна",
    orders: { items: [{ number: order.number, state: order.state, pieces: 2, total: order.total / 100 }], next: null },
    newsletter: { textVersion: "newsletter-2026-11" },
    notes: [{ author: sales.member.name, text: "просит звонить вечером" }],
  });
  expect(card.consents).toContainEqual(
    expect.objectContaining({
      purpose: "order",
      textVersion: "order-2026-11",
      textUrl: expect.stringMatching(/^https?:.*\/consent\/order$/) as string,
      withdrawnAt: null,
    }),
  );
  const admin = await (await bench.as("admin")).call(contract.readCustomer, { params: { id } });
  expect(admin.data.orders).toBeUndefined();
  expect(admin.response.body).not.toContain(String(order.total / 100));
});

test("the card counts the pieces that the buyer gets, without those that were dropped", async () => {
  const { id } = await aCustomer();
  const order = await shop.ordered(`customer:${id}`, { 1: 2 }, { ...atOffice, paymentId: paymentIds.invoice });
  await orders.apply(shop.ctx, order.id, "pay");
  await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: 1, quantity: 1 }] });
  const card = (await sales.call(contract.readCustomer, { params: { id } })).data;
  expect(card.orders?.items.map(({ pieces }) => pieces)).toEqual([1]);
});

test("after a stolen phone all sessions of the customer end", async () => {
  const { id, phone } = await aCustomer();
  const sent = await auth.requestCode(shop.ctx, { phone, address: "10.0.0.1", deviceHash: "phone" });
  if (!sent.ok) throw new Error(sent.error.code);
  const device = { visitor: null, address: "10.0.0.1", deviceHash: "phone", userAgent: "a phone" };
  const signedIn = await auth.checkCode(shop.ctx, { phone, code: phones.codeOf(phone), challenge: sent.value.challenge, ...device });
  if (!signedIn.ok) throw new Error(signedIn.error.code);
  expect((await sales.call(contract.readCustomer, { params: { id } })).data.sessions).toBe(1);
  expect((await sales.call(contract.endCustomerSessions, { params: { id } })).data).toEqual({ ended: 1 });
  expect(await auth.session(shop.ctx, signedIn.value.sid)).toBeNull();
  expect(await auditOf(`customer:${id}`)).toEqual([`staff:${sales.member.login} customer.end_sessions`]);
});

describe("personal data", () => {
  test("an export has everything of the account, also an unfinished checkout, and is in the audit", async () => {
    const { id, phone } = await aCustomer();
    await saveEntries(shop.ctx, `customer:${id}`, { cityCode: "0000073738", paymentId: 4 });
    const { status, response } = await owner.call(contract.exportCustomer, { params: { id } });
    expect(status).toBe(200);
    expect(response.headers["content-disposition"]).toContain("attachment");
    expect(response.json()).toMatchObject({ profile: { phone }, checkout: { cityCode: "0000073738", paymentId: 4 } });
    expect(await auditOf(`customer:${id}`)).toEqual([`staff:${owner.member.login} customer.export`]);
  });

  test("export and erasure require the second factor again after five minutes, and are for owner and admin only", async () => {
    const { id } = await aCustomer();
    const requests = (client: StaffClient) =>
      Promise.all([
        client.call(contract.exportCustomer, { params: { id } }),
        client.call(contract.eraseCustomer, { params: { id }, body: { reason: "заявление" } }),
        client.call(contract.exportNewsletter),
      ]);
    const without: Role[] = ["sales", "packing", "buyback", "editor", "accountant"];
    for (const role of without)
      for (const { problem } of await requests(await bench.as(role))) expect([role, problem?.code]).toEqual([role, "staff.forbidden"]);
    for (const client of [owner, await bench.as("admin")]) {
      shop.clock.advance(minutes(6));
      for (const { problem } of await requests(client)) expect(problem?.code).toBe("staff.verify_again");
    }
    expect(await customers.byId(shop.ctx, id)).not.toBeNull();
    expect(await auditOf(`customer:${id}`)).toEqual([]);
  });

  test("an account with an open order is not erased; without one it is, with the notes of staff", async () => {
    const { id } = await aCustomer();
    const order = await shop.ordered(`customer:${id}`, { 1: 1 });
    await sales.call(contract.addCustomerNote, { params: { id }, body: { text: "…" } });
    const erase = () => owner.call(contract.eraseCustomer, { params: { id }, body: { reason: "заявление от 20.11.2026" } });
    expect((await erase()).problem?.code).toBe("account.orders_open");
    expect(await orders.cancel(shop.ctx, { orderId: order.id, viewer: { customerId: id } })).toMatchObject({ ok: true });
    await shop.work();
    expect((await erase()).status).toBe(200);
    expect(await customers.byId(shop.ctx, id)).toBeNull();
    expect(await shop.ctx.db.select().from(customerNotes).where(eq(customerNotes.customerId, id))).toEqual([]);
    expect((await erase()).problem?.code).toBe("staff.not_found");
    expect(await auditOf(`customer:${id}`)).toEqual([
      `staff:${sales.member.login} customer.add_note`,
      `staff:${owner.member.login} customer.erase`,
    ]);
  });

  test("the newsletter's list has every mailbox once with its state, and no cell is a formula", async () => {
    const formula = await aCustomer({ name: "=HYPERLINK(1)", lastName: "", email: "formula@example.ru" });
    const left = await aCustomer({ email: "left@example.ru" });
    for (const { id } of [formula, left]) await customers.setNewsletter(shop.ctx, id, true);
    await customers.setNewsletter(shop.ctx, left.id, false);
    const { response } = await owner.call(contract.exportNewsletter);
    const lines = response.body.trim().split("\r\n");
    expect(lines[0]).toContain("Почта;Имя;Согласие;Редакция текста;Состояние;Отписался");
    expect(lines.find((line) => line.startsWith("formula@"))).toMatch(/^formula@example\.ru;'=HYPERLINK\(1\);.+;подписан;$/);
    expect(lines.find((line) => line.startsWith("left@"))).toMatch(/;отписался;2026-/);
    await customers.setNewsletter(shop.ctx, left.id, true);
    const again = await Array.fromAsync(newsletter.mailboxes(shop.ctx));
    expect(again.flat().filter(({ email }) => email === "left@example.ru")).toMatchObject([{ unsubscribedAt: null }]);
    expect(await auditOf("newsletter")).toEqual([`staff:${owner.member.login} newsletter.export`]);
  });

  test("a newsletter of thousands of consents is read and sent in parts, and is the same whatever the size of the parts", async () => {
    // Each mailbox belongs to three accounts, one of them in capitals; every fifth account has withdrawn.
    await shop.ctx.db.execute(sql`
      insert into ${customerTable} (id, phone, email, name, created_at)
      select 'many-' || n, '+7999' || lpad(n::text, 7, '0'),
        case n / 1000 when 1 then 'BOX' else 'box' end || n % 1000 || '@example.ru', 'Имя ' || n, now()
      from generate_series(0, 2999) n`);
    await shop.ctx.db.execute(sql`
      insert into ${consentTable} (customer_id, purpose, text_version, at, withdrawn_at)
      select 'many-' || n, 'newsletter', 'newsletter-2026-11',
        ${shop.ctx.now().toISOString()}::timestamptz + (n * 7 % 3000) * interval '1 minute',
        case when n % 5 = 0 then ${shop.ctx.now().toISOString()}::timestamptz + n * interval '1 day' end
      from generate_series(0, 2999) n`);
    // A guest's order with the mailbox of three accounts, before all of them.
    const order = await shop.ordered(aVisitor("many"), { 1: 1 });
    await shop.ctx.db
      .update(orderTable)
      .set({ user: sql`${orderTable.user} || '{"name": "Гость", "email": "Box2@example.ru"}'` })
      .where(eq(orderTable.id, order.id));
    const dayBefore = plus(shop.ctx.now(), -days(1));
    await customers.subscribe(shop.ctx.db, { ...shop.ctx, now: () => dayBefore }, { customerId: null, orderId: order.id });
    const parts = await Array.fromAsync(newsletter.mailboxes(shop.ctx, { partSize: 70 }));
    const whole = await Array.fromAsync(newsletter.mailboxes(shop.ctx, { partSize: 100_000 }));
    expect(parts.length).toBeGreaterThan(40);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(70);
    expect(whole).toHaveLength(1);
    expect(parts.flat()).toEqual(whole.flat());
    const boxes = whole.flat().filter(({ email }) => email.startsWith("box"));
    expect(boxes).toHaveLength(1_000);
    // 0, 1000 and 2000 have all withdrawn: the last one counts. Of 1, 1001 and 2001 none has: the first one does.
    expect(boxes.find(({ email }) => email === "box0@example.ru")).toMatchObject({ name: "Имя 2000", unsubscribedAt: expect.any(Date) });
    expect(boxes.find(({ email }) => email === "box1@example.ru")).toMatchObject({ name: "Имя 1", unsubscribedAt: null });
    expect(boxes.find(({ email }) => email === "box2@example.ru")).toMatchObject({ since: dayBefore, unsubscribedAt: null });

    const { response } = await owner.call(contract.exportNewsletter);
    expect(response.headers["content-length"]).toBeUndefined();
    expect(response.body.startsWith("\uFEFFПочта;")).toBe(true);
    expect(response.body.trimEnd().split("\r\n")).toHaveLength(1 + whole.flat().length);
  });

  test("the register says until when a request must be answered: ten working days from its receipt", async () => {
    const admin = await bench.as("admin");
    const body = { kind: "access" as const, applicant: "Семёнова Анна", contact: "письмо на адрес офиса", receivedOn: "2026-11-20" };
    const future = await admin.call(contract.addPrivacyRequest, { body: { ...body, receivedOn: "2027-01-01" } });
    expect(future.problem?.fields).toEqual({ receivedOn: "Этот день ещё не наступил" });
    const added = (await admin.call(contract.addPrivacyRequest, { body })).data;
    expect(added).toMatchObject({ dueOn: "2026-12-04", state: "open", isOverdue: false, enteredBy: admin.member.name });
    shop.clock.set(new Date("2026-12-04T21:00:00Z")); // midnight in Moscow
    const later = await bench.as("admin");
    expect((await later.call(contract.readPrivacyRequests)).data.items).toMatchObject([{ id: added.id, isOverdue: true }]);
    const finish = (revision: number) =>
      later.call(contract.finishPrivacyRequest, { params: { id: added.id }, body: { revision, outcome: "выгрузка отправлена почтой" } });
    expect((await finish(0)).data).toMatchObject({ state: "done", doneBy: later.member.name });
    expect((await finish(0)).problem).toMatchObject({ code: "staff.stale", data: { revision: 1, current: { state: "done" } } });
    expect((await later.call(contract.readPrivacyRequests, { query: { state: "done" } })).data.items).toHaveLength(1);
    expect((await (await bench.as("sales")).call(contract.readPrivacyRequests)).problem?.code).toBe("staff.forbidden");
  });
});

describe("the subscribers of the newsletter", () => {
  const listed = async (query: { text?: string; cursor?: string }, client = sales) =>
    (await client.call(contract.readSubscribers, { query })).data;
  async function aSubscriber(email: string): Promise<string> {
    const { id } = await aCustomer({ email });
    await customers.setNewsletter(shop.ctx, id, true);
    return id;
  }
  async function aGuestSubscriber(email: string) {
    serial += 1;
    shop.clock.advance(seconds(1));
    const order = await shop.ordered(aVisitor(`subscriber-${serial}`), { 1: 1 });
    await shop.ctx.db
      .update(orderTable)
      .set({ user: sql`${orderTable.user} || ${JSON.stringify({ name: "Гость", lastName: "", email })}::jsonb` })
      .where(eq(orderTable.id, order.id));
    await customers.subscribe(shop.ctx.db, shop.ctx, { customerId: null, orderId: order.id });
    return order;
  }

  test("are listed once each with their first active consent, newest first, and found by the start of the e-mail", async () => {
    const id = await aSubscriber("sub.account@example.ru");
    const order = await aGuestSubscriber("Sub.Guest@example.ru");
    await aGuestSubscriber("sub.guest@example.ru"); // again, later
    const gone = await aSubscriber("sub.gone@example.ru");
    await customers.setNewsletter(shop.ctx, gone, false);
    expect((await listed({ text: "SUB." })).items).toMatchObject([
      { name: "Гость", maskedEmail: "s•••@example.ru", source: "order", customerId: null, order: { id: order.id, number: order.number } },
      { name: "Семёнова Анна", maskedEmail: "s•••@example.ru", source: "account", customerId: id, textVersion: "newsletter-2026-11" },
    ]);
    expect((await listed({ text: "sub.account@" })).items).toHaveLength(1);
    for (const text of ["s", "guest", "sub%", "sub_", "%%"]) expect([text, (await listed({ text })).items]).toEqual([text, []]);
  });

  test("are masked for every role, and a guest has no name and no order where orders are not read", async () => {
    await aSubscriber("veiled.account@example.ru");
    const order = await aGuestSubscriber("veiled.guest@example.ru");
    for (const role of roles) {
      const { status, data, response } = await (await bench.as(role)).call(contract.readSubscribers, { query: { text: "veiled" } });
      expect(response.body).not.toContain("veiled");
      const may = ["sales", "accountant", "owner", "admin"].includes(role);
      expect([role, status]).toEqual([role, may ? 200 : 403]);
      if (!may) continue;
      const [guest, account] = data.items;
      expect(account).toMatchObject({ name: "Семёнова Анна", maskedEmail: "v•••@example.ru" });
      const isNamed = role !== "admin";
      expect([role, guest?.name, guest?.order?.number]).toEqual([role, isNamed ? "Гость" : "", isNamed ? order.number : undefined]);
    }
  });

  test("fill their pages, although some mailboxes agreed more than once", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 52; n += 1) ids.unshift(await aSubscriber(`paged.${n}@example.ru`));
    for (const n of [0, 1, 51]) await aSubscriber(`Paged.${n}@example.ru`);
    const first = await listed({ text: "paged." });
    expect(first.items).toHaveLength(50);
    const second = await listed({ text: "paged.", cursor: first.next ?? "" });
    expect([...first.items, ...second.items].map(({ customerId }) => customerId)).toEqual(ids);
    expect(second.next).toBeNull();
  });

  test("leave at the buyer's request, with every consent of the mailbox; the audit says who did it", async () => {
    const id = await aSubscriber("Leaving@example.ru");
    const order = await aGuestSubscriber("leaving@example.ru");
    const [row] = (await listed({ text: "leaving" })).items;
    const params = { id: row?.id ?? 0 };
    const end = (client: StaffClient, key?: string) =>
      client.call(contract.endNewsletter, { params, ...(key === undefined ? {} : { key }) });
    expect((await end(await bench.as("admin"))).problem?.code).toBe("staff.forbidden");
    for (const _ of ["once", "twice"]) expect((await end(sales, "leave-once")).data).toEqual({ ended: 2 });
    expect((await listed({ text: "leaving" })).items).toEqual([]);
    expect(await customers.newsletter(shop.ctx, id)).toBeNull();
    expect(await auditOf(`customer:${id}`)).toEqual([`staff:${sales.member.login} newsletter.end`]);
    expect((await end(sales)).data).toEqual({ ended: 0 });

    await customers.subscribe(shop.ctx.db, shop.ctx, { customerId: null, orderId: order.id });
    const [again] = (await listed({ text: "leaving" })).items;
    expect((await sales.call(contract.endNewsletter, { params: { id: again?.id ?? 0 } })).data).toEqual({ ended: 1 });
    expect(await auditOf(`order:${order.id}`)).toEqual([`staff:${sales.member.login} newsletter.end`]);
    expect((await sales.call(contract.endNewsletter, { params: { id: 999_999_999 } })).problem?.code).toBe("staff.not_found");
  });
});

test("nothing of a guest's order opens a customer", async () => {
  await shop.ordered(aVisitor("guest"), { 1: 1 });
  expect((await sales.call(contract.readCustomer, { params: { id: "there-is-no-such-customer" } })).problem?.code).toBe("staff.not_found");
});

test("the audit of an order is found by its number; a role without the orders' money reads it without sums", async () => {
  const order = await shop.ordered(aVisitor("audited"), { 1: 1 });
  const { id } = await aCustomer();
  const from = { origin: null, approvalId: null };
  await audit.record(
    shop.ctx.db,
    shop.ctx,
    "order.refund",
    { subject: `order:${order.id}`, after: { kopecks: 100, reason: "просьба" } },
    from,
  );
  await audit.record(shop.ctx.db, shop.ctx, "customer.export", { subject: `customer:${id}` }, from);
  const read = async (role: Role) => (await (await bench.as(role)).call(readAudit, { query: { subject: `${order.number}` } })).data.items;
  expect(await read("accountant")).toMatchObject([{ orderNumber: order.number, after: { kopecks: 100, reason: "просьба" } }]);
  const [seenByAdmin, ...others] = await read("admin");
  expect(seenByAdmin?.after).toEqual({ reason: "просьба" });
  expect(others).toEqual([]);
  const exported = await (await bench.as("admin")).call(exportAudit, { body: { subject: `${order.number}` } });
  expect(exported.response.body).not.toContain("kopecks");
});
