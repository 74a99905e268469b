import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTransaction, isTrue, rowsOf } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { hours, minutes } from "#kit/time.ts";
import { limitOrderMessage } from "#shop/auth/message-limits.service.ts";
import type { Ctx } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { AccountRefused, MessageOutcomeUnknown, MessageRefused, type EmailMessage, type SmsMessage } from "./gateway.ts";
import { sweepsWith } from "./jobs.ts";
import type { OrderMessage } from "./message.ts";
import { hasDue, messagesOfOrder, notify, sendAgain, sendDue } from "./service.ts";

let shop: TestShop;
let ctx: Ctx;
let letters: EmailMessage[];
let sms: SmsMessage[];
let mailFault: Error | null;
let smsFault: Error | null;
let smsBalance: Kopecks | null;

beforeEach(async () => {
  [letters, sms, mailFault, smsFault, smsBalance] = [[], [], null, null, null];
  shop = await testShop({
    gateways: {
      email: {
        async send(letter) {
          if (mailFault) throw mailFault;
          letters.push(letter);
        },
      },
      sms: {
        async send(message) {
          if (smsFault) throw smsFault;
          sms.push(message);
          return { providerId: "1", ...(smsBalance === null ? {} : { balance: smsBalance }) };
        },
      },
    },
  });
  ctx = shop.ctx;
});
afterEach(() => shop.close());

function anOrderMessage(overrides: Partial<OrderMessage> = {}): OrderMessage {
  return {
    kind: "order_paid",
    about: "order:o1",
    email: "buyer@example.com",
    phone: "+79161234567",
    order: {
      id: "o1",
      number: 1042,
      guestKey: "k-1",
      total: kopecks(100_000),
      payUntil: null,
      collectUntil: null,
      dueOnCollection: null,
      lines: [{ title: "Coin", quantity: 1, sum: kopecks(100_000) }],
      delivery: {
        name: "СДЭК",
        price: kopecks(0),
        place: "",
        workTime: "",
        trackingNumber: null,
        sealNumber: null,
        insuredValue: null,
        arrival: null,
      },
    },
    ...overrides,
  };
}
let invoiceFault: Error | null = null;
const makeInvoice = async (_: Ctx, id: string) => {
  if (invoiceFault) throw invoiceFault;
  return id === "gone" ? null : { name: `${id}.pdf`, bytes: Buffer.from("%PDF") };
};
const notifyBuyer = (message: OrderMessage) => inTransaction(ctx.db, (tx) => notify(tx, ctx, message));
async function sweepAfter(wait: number): Promise<void> {
  shop.clock.advance(wait);
  await sweepsWith({ invoice: makeInvoice }, limitOrderMessage)["notifications.send"].run(ctx);
}

test("a buyer gets one letter and one SMS about each event, however often it is reported and swept", async () => {
  await Promise.all(Array.from({ length: 5 }, () => notifyBuyer(anOrderMessage())));
  await notifyBuyer(anOrderMessage({ kind: "order_shipped" }));
  await Promise.all([sendDue(ctx), sendDue(await shop.another()), sendDue(ctx)]);
  await sweepAfter(hours(1));
  expect(letters.map(({ to, subject }) => [to, subject])).toEqual([
    ["buyer@example.com", "Заказ №1042 оплачен — Чекан"],
    ["buyer@example.com", "Заказ №1042 в пути — Чекан"],
  ]);
  expect(sms.map(({ to }) => to)).toEqual(["+79161234567", "+79161234567"]);
  expect(new Set(letters.map(({ messageId }) => messageId)).size).toBe(2);
});

test("of the messages of one sweep only three at a time use the database, so that buyers find a connection", async () => {
  for (let n = 1; n <= 8; n += 1) await notifyBuyer(anOrderMessage({ about: `order:of-a-sweep-${n}` }));
  const counting = { now: 0, most: 0 };
  await sendDue(ctx, undefined, async () => {
    counting.now += 1;
    counting.most = Math.max(counting.most, counting.now);
    await isTrue(ctx.db, sql`true`);
    counting.now -= 1;
    return { kind: "send", undoCount: async () => {} };
  });
  expect([letters.length, sms.length, counting]).toEqual([8, 8, { now: 0, most: 3 }]);
});

test("a rolled back change sends no message", async () => {
  await inTransaction(ctx.db, async (tx) => {
    await notify(tx, ctx, anOrderMessage());
    throw new Error("the order fell through");
  }).catch(() => {});
  expect(await sendDue(ctx)).toBe(0);
});

test("a buyer without an e-mail gets only the SMS", async () => {
  await notifyBuyer(anOrderMessage({ email: "" }));
  await sendDue(ctx);
  expect([letters.length, sms.length]).toEqual([0, 1]);
});

test("a letter that could not be sent is tried again after 1, 2, 5, 15 and then every 60 minutes under the same message id", async () => {
  mailFault = new Error("mail: ETIMEDOUT");
  await notifyBuyer(anOrderMessage({ phone: "" }));
  await sweepAfter(0);
  for (const wait of [1, 2, 5, 15, 60, 60]) {
    await sweepAfter(minutes(wait) - 1);
    const [{ tries } = { tries: 0 }] = ((await ctx.db.execute(sql`select tries from outbox`)) as unknown as { rows: { tries: number }[] })
      .rows;
    await sweepAfter(1);
    const [after] = ((await ctx.db.execute(sql`select tries from outbox`)) as unknown as { rows: { tries: number }[] }).rows;
    expect(after?.tries).toBe(tries + 1);
  }
  mailFault = null;
  await sweepAfter(hours(1));
  await sweepAfter(hours(1));
  expect(letters).toHaveLength(1);
  expect(letters[0]?.messageId).toMatch(/^<outbox-\d+@localhost>$/);
  expect(shop.alarms).toEqual([]);
});

test("a mail server that refuses the shop's own mailbox is reported at once, and the letters are sent when it is corrected", async () => {
  mailFault = new AccountRefused("mail: EENVELOPE 553");
  await notifyBuyer(anOrderMessage({ phone: "" }));
  await sweepAfter(0);
  await sweepAfter(minutes(1));
  expect(shop.alarms).toEqual([{ name: "mail.account_refused", fields: { channel: "email", reason: "mail: EENVELOPE 553" } }]);
  mailFault = null;
  await sweepAfter(hours(1));
  expect(letters).toHaveLength(1);
  expect(shop.alarms).toHaveLength(1);
});

test("a low balance at the SMS gateway is reported once a day, whatever is sent, and not while it is high or unknown", async () => {
  const low = () => shop.alarms.filter(({ name }) => name === "sms.balance_low").map(({ fields }) => fields);
  const sendOne = async (about: string) => {
    await notifyBuyer(anOrderMessage({ email: "", about }));
    await sweepAfter(0);
  };
  await sendOne("order:a");
  smsBalance = kopecks(50_000);
  await sendOne("order:b");
  expect(low()).toEqual([]);
  smsBalance = kopecks(49_950);
  await sendOne("order:c");
  await sendOne("order:d");
  expect(sms).toHaveLength(4);
  expect(low()).toEqual([{ roubles: 499.5 }]);
  shop.clock.advance(hours(24));
  await sendOne("order:e");
  expect(low()).toHaveLength(2);
});

test("after a day of failures a message is given up and an alarm is raised", async () => {
  mailFault = new Error("mail: ETIMEDOUT");
  await notifyBuyer(anOrderMessage({ phone: "" }));
  for (let hour = 0; hour < 26; hour += 1) await sweepAfter(hours(1));
  expect(shop.alarms).toEqual([{ name: "mail.failed", fields: { channel: "email", kind: "order_paid" } }]);
  mailFault = null;
  await sweepAfter(hours(2));
  expect(letters).toEqual([]);
});

test("a mailbox that does not exist is not tried again", async () => {
  mailFault = new MessageRefused("mail: EENVELOPE 550");
  await notifyBuyer(anOrderMessage({ phone: "" }));
  await sweepAfter(0);
  mailFault = null;
  await sweepAfter(hours(1));
  expect(letters).toEqual([]);
  expect(shop.alarms).toHaveLength(1);
});

test("an SMS that may have been sent is not sent again, one that was certainly not sent is", async () => {
  smsFault = new MessageOutcomeUnknown("sms: timeout");
  await notifyBuyer(anOrderMessage({ email: "" }));
  await sweepAfter(0);
  smsFault = new Error("sms: refused with 220");
  await notifyBuyer(anOrderMessage({ email: "", kind: "order_shipped" }));
  await sweepAfter(0);
  smsFault = null;
  await sweepAfter(hours(1));
  expect(sms.map(({ text }) => text)).toEqual(["Чекан: заказ №1042 передан в доставку"]);
});

/** As the card of an order does it: with the order locked. */
const pressAgain = (by: Ctx, messageId: number, to = { email: "buyer@example.com", phone: "+79161234567" }) =>
  inTransaction(by.db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1042)`);
    return sendAgain(tx, by, { orderId: "o1", messageId, ...to });
  });

test("a message that two clerks send again at once goes out once more, and again only after that", async () => {
  await notifyBuyer(anOrderMessage());
  await sweepAfter(0);
  const other = await shop.another();
  for (const { id } of await messagesOfOrder(ctx.db, "o1")) {
    const pressed = await Promise.all([pressAgain(ctx, id), pressAgain(other, id), pressAgain(ctx, id)]);
    expect(pressed.toSorted()).toEqual(["queued", "waiting", "waiting"]);
  }
  // Another recipient is another message: the address was wrong.
  const letter = (await messagesOfOrder(ctx.db, "o1")).find(({ channel, state }) => channel === "email" && state === "sent");
  expect(await pressAgain(ctx, letter?.id ?? 0, { email: "right@example.com", phone: "" })).toBe("queued");
  await sweepAfter(0);
  expect([letters.map(({ to }) => to).toSorted(), sms.length]).toEqual([
    ["buyer@example.com", "buyer@example.com", "right@example.com"],
    2,
  ]);
  expect(await pressAgain(ctx, letter?.id ?? 0)).toBe("queued");
});

test("an SMS that is still with its provider is not sent again; one whose process died may be, after five minutes", async () => {
  await notifyBuyer(anOrderMessage({ email: "" }));
  await sweepAfter(0);
  const states = async () => (await messagesOfOrder(ctx.db, "o1")).map(({ state }) => state);
  const [{ id } = { id: 0 }] = await messagesOfOrder(ctx.db, "o1");
  expect(await pressAgain(ctx, id)).toBe("queued");
  void sendDue({ ...ctx, gateways: { ...ctx.gateways, sms: { send: () => new Promise(() => {}) } } });
  await expect.poll(async () => (await rowsOf<{ n: number }>(ctx.db, sql`select sum(tries)::int as n from outbox`))[0]?.n).toBe(2);
  for (const by of [ctx, await shop.another()]) expect(await pressAgain(by, id)).toBe("waiting");
  await sweepAfter(minutes(4));
  expect([await states(), await pressAgain(ctx, id)]).toEqual([["waiting", "sent"], "waiting"]);
  shop.clock.advance(minutes(2));
  expect(await isTrue(ctx.db, hasDue(ctx))).toBe(true);
  await sweepAfter(0);
  expect([await states(), await isTrue(ctx.db, hasDue(ctx)), sms.length]).toEqual([["failed", "sent"], false, 1]);
  expect(shop.alarms).toEqual([{ name: "mail.failed", fields: { channel: "sms", kind: "order_paid" } }]);
  expect(await pressAgain(ctx, id)).toBe("queued");
});

test("a letter claimed by a process that died is due again after its lease, an SMS is not", async () => {
  await notifyBuyer(anOrderMessage());
  const dying: Ctx = {
    ...ctx,
    gateways: { ...ctx.gateways, email: { send: () => new Promise(() => {}) }, sms: { send: () => new Promise(() => {}) } },
  };
  void sendDue(dying);
  await expect
    .poll(
      async () => ((await ctx.db.execute(sql`select sum(tries)::int as n from outbox`)) as unknown as { rows: { n: number }[] }).rows[0]?.n,
    )
    .toBe(2);
  await sweepAfter(minutes(4));
  expect(letters).toEqual([]);
  await sweepAfter(minutes(1));
  await sweepAfter(hours(1));
  expect([letters.length, sms.length]).toEqual([1, 0]);
});

test("an invoice is attached to its letter, delays it while it cannot be made, and is omitted when nothing is due any more", async () => {
  await notifyBuyer(anOrderMessage({ kind: "order_placed", phone: "", attachment: "invoice:o1" }));
  invoiceFault = new Error("no font");
  await sweepAfter(0);
  expect(letters).toEqual([]);
  invoiceFault = null;
  await sweepAfter(minutes(1));
  await notifyBuyer(anOrderMessage({ kind: "order_placed", about: "order:o2", phone: "", attachment: "invoice:gone" }));
  await sweepAfter(0);
  expect(letters.map(({ attachments }) => attachments?.map(({ name, bytes }) => `${name} ${bytes.toString()}`))).toEqual([
    ["o1.pdf %PDF"],
    undefined,
  ]);
  expect(letters[0]?.text).toContain("во вложении");
});
