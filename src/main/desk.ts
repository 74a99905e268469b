/**
 * `npm run desk -- order <id> <event>`; `order <id> pay 5000` records a part of an invoice, `order <id> refund 5000` or `refund 1001:2 1002:1 delivery`
 * gives a part back (roubles, or pieces by the coins' ids); `… review <id> approve|reject`, `… inquiry <id> answer`: what staff did, through the same services as the demo calls.
 * `npm run desk -- shipment <order> retry [point]`: sends a parcel again that the carrier refused, to another point if one is named.
 * `npm run desk -- receipts`: what the office's register has to print and what the aggregator's refused; `… receipt <id> print|retry`.
 * `npm run desk -- waiting`: reviews to be read and requests to be answered, oldest first.
 * `npm run desk -- differences`: where the payment provider's ledger and ours did not agree, newest first.
 * Beside a running shop on the embedded database, which belongs to one process, the shop itself is asked to do it.
 */
import { Registry } from "prom-client";
import { fromRoubles, toRoubles } from "#kit/money.ts";
import { mapOk, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { inquiryEvents, type InquiryEvent } from "#shop/inquiries/inquiry.ts";
import { reviewEvents, type ReviewEvent } from "#shop/inquiries/review.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { staffEvents, type StaffEvent, type StaffMoney } from "#shop/orders/order.ts";
import { isoMoscow } from "#kit/time.ts";
import * as orders from "#shop/orders/service.ts";
import { receiptEvents, type ReceiptEvent } from "#shop/payment/receipt.ts";
import * as payment from "#shop/payment/service.ts";
import { readConfig, type Config } from "./config.ts";
import { createContext, measureCalls } from "./context.ts";
import { openOwnDatabase } from "./database.ts";
import { connectGateways, realProviders } from "./gateways.ts";
import { createLog } from "./log.ts";
import { openQueue } from "./queue.ts";

/** What stands behind `pay` and `refund`, as the demo call takes it: roubles, or pieces of coins and the delivery. */
type Money = { amount?: number; items?: { id: number; count: number }[]; delivery?: boolean };
const staffMoney = ({ amount, items, delivery }: Money): StaffMoney => ({
  ...(amount === undefined ? {} : { amount: fromRoubles(amount) }), ...(items ? { pieces: items.map((each) => ({ coinId: each.id, quantity: each.count })) } : {}),
  ...(delivery ? { isDeliveryToo: true } : {}),
});

/** Null: it cannot be read. */
function readMoney(words: readonly string[]): Money | null {
  if (words.length === 0) return {};
  const [only = ""] = words;
  if (words.length === 1 && /^\d{1,9}([.,]\d{1,2})?$/.test(only)) return Number(only.replace(",", ".")) > 0 ? { amount: Number(only.replace(",", ".")) } : null;
  const pieces = words.filter((word) => word !== "delivery").map((word) => /^(\d{1,9}):(\d{1,3})$/.exec(word));
  if (!pieces.every((each) => each !== null)) return null;
  return { items: pieces.map(([, coin, count]) => ({ id: Number(coin), count: Number(count) })), ...(words.includes("delivery") ? { delivery: true } : {}) };
}

/** What the desk can handle: which events it knows, where the demo call is, and who does it. The answer is the state afterwards. */
type Desk = { events: readonly string[]; path: string; apply: (ctx: Ctx, id: string, event: string, words: readonly string[]) => Promise<Result<string, { code: string }>>; body?: (event: string, words: readonly string[]) => object; readsWords?: (event: string, words: readonly string[]) => boolean };
const desks: Record<string, Desk> = {
  order: {
    events: staffEvents, path: "orders", apply: async (ctx, id, event, words) => mapOk(await orders.apply(ctx, id, event as StaffEvent, staffMoney(readMoney(words) ?? {})), ({ state }) => state),
    body: (event, words) => ({ event, ...readMoney(words) }),
    readsWords: (event, words) => (event === "refund" || event === "pay") && (event === "refund" ? readMoney(words) !== null : readMoney(words)?.amount !== undefined),
  },
  shipment: {
    events: ["retry"], path: "shipments", apply: (ctx, id, [point = null]) => orders.resend(ctx, id, point), body: (event, [pointId]) => ({ event, ...(pointId === undefined ? {} : { pointId }) }),
    readsWords: (_, words) => words.length === 1,
  },
  receipt: { events: receiptEvents, path: "receipts", apply: async (ctx, id, event) => mapOk(await payment.workReceipt(ctx, id, event as ReceiptEvent), ({ state }) => state) },
  review: { events: reviewEvents, path: "reviews", apply: async (ctx, id, event) => mapOk(await inquiries.decide(ctx, Number(id), event as ReviewEvent), ({ state }) => state) },
  inquiry: { events: inquiryEvents, path: "inquiries", apply: async (ctx, id, event) => mapOk(await inquiries.close(ctx, Number(id), event as InquiryEvent), ({ state }) => state) },
};

const usage = `usage: npm run desk -- ${[...Object.entries(desks).map(([name, { events }]) => `${name} <id> <${events.join("|")}>`), "order <id> pay <roubles>", "order <id> refund <roubles>", "order <id> refund <coin>:<pieces> … [delivery]", "shipment <order> retry <point>", "receipts", "waiting", "differences"].join("\n                       ")}`;

const [what = "", id = "", event = "", ...words] = process.argv.slice(2);
const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
if (what === "differences") await listDifferences(config);
if (what === "receipts") await listReceipts(config);
if (what === "waiting") await listWaiting(config);
const desk = Object.hasOwn(desks, what) ? desks[what] : undefined;
if (!desk || id === "" || !desk.events.includes(event) || (words.length > 0 && desk.readsWords?.(event, words) !== true)) {
  console.error(usage);
  process.exit(2);
}
const said = (await applyHere(config, desk)) ?? (await askRunningShop(config, desk));
console.log(said.text);
process.exit(said.isDone ? 0 : 1);

async function listWaiting(settings: Config): Promise<never> {
  const here = await atDesk(settings, inquiries.waiting);
  if (!here) {
    console.error(`the data folder ${settings.dataDir} is in use: stop the shop first, or set DATABASE_URL; the letters to the desk name each of them too`);
    process.exit(1);
  }
  for (const { id: of, name, rating, body, isSuspect } of here.value.reviews) console.log(`review ${of}  ${rating} of 5  ${name}${isSuspect ? "  (a robot?)" : ""}\n  ${body.replaceAll("\n", "\n  ")}`);
  for (const { id: of, kind, name, phone, createdAt, isSuspect } of here.value.inquiries) console.log(`inquiry ${of}  ${kind}  ${isoMoscow(createdAt)}  ${name}  ${phone}${isSuspect ? "  (a robot?)" : ""}`);
  process.exit(0);
}

async function listDifferences(settings: Config): Promise<never> {
  const own = await openOwnDatabase(settings, createLog("warn"));
  if (!own) {
    console.error(`the data folder ${settings.dataDir} is in use: stop the shop first, or set DATABASE_URL`);
    process.exit(1);
  }
  const found = await payment.differences(own.database.db);
  for (const { foundAt, kind, providerId, orderId: of, ours, theirs } of found) console.log(`${isoMoscow(foundAt)}  ${kind}  payment ${providerId}  order ${of ?? "unknown"}  ours: ${ours || "nothing"}  theirs: ${theirs || "nothing"}`);
  console.log(`${found.length} differences`);
  await own.close();
  process.exit(0);
}

async function listReceipts(settings: Config): Promise<never> {
  const here = await atDesk(settings, (ctx) => payment.receiptsWaiting(ctx.db));
  if (!here) {
    console.error(`the data folder ${settings.dataDir} is in use: stop the shop first, or set DATABASE_URL`);
    process.exit(1);
  }
  for (const { id: of, orderId, kind, registrar, mode, amount, receipt, createdAt } of here.value) {
    console.log(`receipt ${of}  order ${orderId}  ${isoMoscow(createdAt)}  ${kind}, ${mode}, ${toRoubles(amount)} roubles, ${receipt.email}  ${registrar === "office" ? "to print" : "failed: retry, or print"}`);
    for (const { title, quantity, unitPrice, vatCode } of receipt.lines) console.log(`  ${title}  ${quantity} × ${toRoubles(unitPrice)}  VAT code ${vatCode}`);
  }
  process.exit(0);
}

type Said = { isDone: boolean; text: string };

/** Null when another process holds the embedded database. */
async function applyHere(settings: Config, { apply }: Desk): Promise<Said | null> {
  const here = await atDesk(settings, (ctx) => apply(ctx, id, event, words));
  return here && (here.value.ok ? { isDone: true, text: `${what} ${id}: ${here.value.value}` } : { isDone: false, text: `refused: ${JSON.stringify(here.value.error)}` });
}

/** Does a piece of work on the shop's database; null when another process holds it. */
async function atDesk<T>(settings: Config, work: (ctx: Ctx) => Promise<T>): Promise<{ value: T } | null> {
  const log = createLog("warn");
  const own = await openOwnDatabase(settings, log);
  if (!own) return null;
  const queue = await openQueue(own.database, { log, supervise: false });
  const registry = new Registry();
  // Nobody is called from here: what follows are jobs and messages, and the running shop works them off.
  const { gateways, close } = connectGateways(realProviders(settings), { now: () => new Date(), onCall: measureCalls(registry) });
  const ctx = createContext({ config: settings, db: own.database.db, enqueue: queue.enqueue, log, gateways, registry });
  const value = await work(ctx);
  await queue.stop();
  await close();
  await own.close();
  return { value };
}

async function askRunningShop(settings: Config, { path, body: bodyOf = (given: string) => ({ event: given }) }: Desk): Promise<Said> {
  const answer = await fetch(`http://127.0.0.1:${settings.PORT}/_demo/${path}/${encodeURIComponent(id)}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(bodyOf(event, words)),
  });
  const body = (await answer.json()) as { data?: { status: string }; code?: string; message?: string };
  return answer.ok ? { isDone: true, text: `${what} ${id}: ${body.data?.status}` } : { isDone: false, text: `refused: ${body.code} ${body.message}` };
}
