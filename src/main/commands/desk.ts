/**
 * The command line of the staff, `npm run desk -- <command>`. It calls the same services as the demo calls.
 *
 * - `order <id> <event>`: an event of an order, named by its id or its number. `pay 5000 --ref 125/20.11.2026` records a transfer by its
 *   payment order (number and day from the bank's statement; `--payer` with the payer's account where two payers share them). `refund 5000`
 *   or `refund 1001:2 1002:1 delivery` refunds a part (roubles, or pieces by coin ids). `assemble --seal 00412345` packs the order into a
 *   bag with that seal; `seal 00412345` enters or corrects the number later.
 * - `review <id> approve|reject`, `inquiry <id> answer`.
 * - `statement <file>`: reads a bank statement (`1CClientBankExchange`; `-`: from the standard input) and records each transfer once, for
 *   the order that its purpose names.
 * - `shipment <order> retry [point]`: registers a parcel again that the carrier refused, to another point if one is named.
 * - `receipts`: receipts that the office's register must print, and those that the aggregator refused. `receipt <id> print|retry`; `print
 *   --fn … --fd … --fpd …` stores the fiscal numbers.
 * - `refunds`: refunds that the provider has not confirmed or has refused, and those to be sent by hand.
 * - `waiting`: orders that wait for staff or for the carrier, reviews to approve and requests to answer, oldest first.
 * - `subscribers`: active consents to the newsletter, as CSV.
 * - `differences`: where the payment provider's ledger and ours disagreed, newest first.
 * - `staff invite <email> <role>`: prints a link to the back office that works once, for an hour. `staff list`, `staff disable <login>`;
 *   `staff approvals`, `staff approve <id>`: a shop with one approver confirms what waits for a second person.
 *
 * `--as <name>`: the member of staff who acts, stored with the change; by default the user of the operating system. With the embedded
 * database, which belongs to one process, the command sends a request to the running shop instead.
 */
import { parseArgs } from "node:util";
import { request } from "undici";
import {
  deskUserHeader,
  packedView,
  waitingOrderView,
  waitingReceipt,
  waitingRefund,
  type WaitingOrderView,
  type WaitingReceipt,
  type WaitingRefundView,
} from "#contract/demo.ts";
import { problems, type ShopError } from "#contract/problems.ts";
import { readStatement } from "#integrations/bank-statement/client-bank-exchange.ts";
import { toRoubles } from "#kit/money.ts";
import { operatorCommand } from "#kit/operator-command.ts";
import { fail, mapOk, type Result } from "#kit/result.ts";
import { isStaffName } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { inquiryEvents, type InquiryEvent } from "#shop/inquiries/inquiry.ts";
import { reviewEvents, type ReviewEvent } from "#shop/inquiries/review.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { subscribersCsv } from "#shop/newsletter/newsletter.ts";
import * as newsletter from "#shop/newsletter/service.ts";
import { staffEvents, type StaffEvent } from "#shop/orders/order.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import * as orders from "#shop/orders/service.ts";
import { applyEvent, type EventError } from "#shop/orders/staff/apply-event.service.ts";
import type { EntryOutcome } from "#shop/orders/transfers/statement.ts";
import { receiptEvents, type ReceiptEvent } from "#shop/payment/receipts/receipt.ts";
import * as payment from "#shop/payment/service.ts";
import { readConfig, type Config } from "../config.ts";
import { openConfiguredDatabase } from "../database/configured-database.ts";
import { readGivenFile } from "./given-file.ts";
import { createLog } from "../log/log.ts";
import { NoShopError, onOwnDatabase } from "./own-database.ts";
import { staffCommand } from "./staff-desk.ts";
import { operatingSystemUser } from "./staff-user.ts";
import { reportStatement } from "../reports/statement-report.ts";
import { reportWaiting } from "../reports/waiting-report.ts";
import { staffDetails, optionNames, type Options, parseOrderArguments, parseFiscalNumbers, sealFault } from "./desk-arguments.ts";

/**
 * One command of the desk: its events, the path and body of its demo call (body null: malformed arguments), and how to apply it here.
 * Returns the state afterwards.
 */
type DeskCommand = {
  events: readonly string[];
  path: string;
  body: (event: string, words: readonly string[], options: Options) => object | null;
  apply: (
    ctx: Ctx,
    id: string,
    event: string,
    words: readonly string[],
    options: Options,
  ) => Promise<Result<string, ShopError | EventError>>;
};
/** `assembled, seal 00412345, insured for 462149 roubles` */
const packedText = ({ status, seal, insured }: { status: string; seal?: string; insured?: number }): string =>
  [status, seal && `seal ${seal}`, insured && `insured for ${insured} roubles`].filter(Boolean).join(", ");

const withoutArguments = (event: string, words: readonly string[]) => (words.length === 0 ? { event } : null);
const deskCommands: Record<string, DeskCommand> = {
  order: {
    events: staffEvents,
    path: "orders",
    apply: async (ctx, idOrNumber, event, words, options) => {
      const id = await orders.idOf(ctx, idOrNumber);
      if (id === null) return fail({ code: "order.not_found" });
      const details = staffDetails(parseOrderArguments(event, words, options) ?? {});
      return mapOk(await applyEvent(ctx, id, event as StaffEvent, details), (order) =>
        packedText({ status: order.state, ...packedView(order) }),
      );
    },
    body: (event, words, options) => {
      const money = parseOrderArguments(event, words, options);
      return money && { event, ...money };
    },
  },
  shipment: {
    events: ["retry"],
    path: "shipments",
    apply: async (ctx, idOrNumber, _, [point = null]) => {
      const id = await orders.idOf(ctx, idOrNumber);
      return id === null ? fail({ code: "order.not_found" }) : orders.resendParcel(ctx, id, point);
    },
    body: (event, [pointId, ...more]) => (more.length > 0 ? null : { event, ...(pointId === undefined ? {} : { pointId }) }),
  },
  receipt: {
    events: receiptEvents,
    path: "receipts",
    apply: async (ctx, id, event, _, options) =>
      mapOk(
        await payment.applyReceiptEvent(ctx, id, event as ReceiptEvent, parseFiscalNumbers(options) ?? undefined),
        ({ state }) => state,
      ),
    body: (event, words, options) => {
      const signs = parseFiscalNumbers(options);
      return signs === null || words.length > 0 || (signs && event !== "print") ? null : { event, ...(signs ? { signs } : {}) };
    },
  },
  review: {
    events: reviewEvents,
    path: "reviews",
    body: withoutArguments,
    apply: async (ctx, id, event) => mapOk(await inquiries.decide(ctx, Number(id), event as ReviewEvent), ({ state }) => state),
  },
  inquiry: {
    events: inquiryEvents,
    path: "inquiries",
    body: withoutArguments,
    apply: async (ctx, id, event) => mapOk(await inquiries.close(ctx, Number(id), event as InquiryEvent), ({ state }) => state),
  },
};

const usages = [
  ...Object.entries(deskCommands).map(([name, { events }]) => `${name} <id> <${events.join("|")}>`),
  "order <id> pay [<roubles>] --ref <number>/<dd.mm.yyyy> [--payer <account>]",
  "order <id> refund <roubles>",
  "order <id> refund <coin>:<pieces> … [delivery]",
  "order <id> give_back <coin>:<pieces> …",
  "order <id> assemble --seal <number>",
  "order <id> seal <number>",
  "shipment <order> retry <point>",
  "receipt <id> print --fn <16 digits> --fd <number> --fpd <sign>",
  "receipts",
  "refunds",
  "statement <file, or - for the standard input>",
  "waiting",
  "subscribers",
  "differences",
  "staff list",
  "staff invite <email> <role>",
  "staff disable <login or email>",
  "staff approvals",
  "staff approve <id>",
  "an order by its id or its number; each with --as <member of staff>",
];
const usage = `usage: ${operatorCommand("desk", "<one of these>")}\n  ${usages.join("\n  ")}`;

const {
  positionals: [what = "", id = "", event = "", ...words],
  options,
} = readArguments();
const staffName = options.as ?? operatingSystemUser().name;
if (!isStaffName(staffName)) {
  console.error(`--as: ${staffName} is not a name: letters, digits, dots and hyphens, at most 40\n${usage}`);
  process.exit(2);
}
const actor = { kind: "staff" as const, name: staffName };
const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
if (what === "differences") await listDifferences(config);
if (what === "receipts") await listReceipts(config);
if (what === "refunds") await listRefunds(config);
if (what === "waiting") await listWaiting(config);
if (what === "subscribers") await listSubscribers(config);
if (what === "staff") await runStaffCommand(config);
if (what === "statement" && id !== "") await readBankStatement(config, id);
const command = Object.hasOwn(deskCommands, what) ? deskCommands[what] : undefined;
const body = command?.events.includes(event) ? command.body(event, words, options) : null;
if (!command || id === "" || body === null) {
  const fault = what === "order" ? sealFault(event, words, options) : null;
  console.error(fault === null ? usage : `${fault}\n${usage}`);
  process.exit(2);
}
const outcome = (await applyHere(config, command)) ?? (await applyOverHttp(config, command, body));
console.log(outcome.text);
process.exit(outcome.isDone ? 0 : 1);

function readArguments(): { positionals: string[]; options: Options } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(optionNames.map((name) => [name, { type: "string" as const }])),
    });
    return { positionals, options: values as Options };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : "unreadable"}\n${usage}`);
    process.exit(2);
  }
}

/** Null when another process has locked the embedded database. Ends this process where there is no shop. */
function onShop<T>(settings: Config, work: (ctx: Ctx) => Promise<T>): Promise<{ value: T } | null> {
  return onOwnDatabase(settings, actor, work).catch((error: unknown) => {
    if (!(error instanceof NoShopError)) throw error;
    console.error(error.message);
    process.exit(1);
  });
}

/** Records the transfers of a bank statement. Beside a shop with the embedded database each entry is one demo call. */
async function readBankStatement(settings: Config, path: string): Promise<never> {
  const bytes = await readGivenFile(path).catch((error: Error) => {
    console.error(error.message);
    process.exit(2);
  });
  const statement = readStatement(bytes);
  if (!statement.ok) {
    console.error(`${path} is no statement in the format 1CClientBankExchange`);
    process.exit(2);
  }
  const { entries, faults } = statement.value;
  const here = await onShop(settings, async (ctx) => {
    const outcomes: EntryOutcome[] = [];
    for (const entry of entries) outcomes.push(await orders.processEntry(ctx, entry));
    return outcomes;
  });
  const outcomes = here?.value ?? [];
  if (!here)
    for (const entry of entries)
      outcomes.push(await postForData<EntryOutcome>(settings, "transfers", { ...entry, amount: toRoubles(entry.amount) }));
  for (const line of reportStatement(entries, outcomes, faults)) console.log(line);
  process.exit(faults.length > 0 ? 1 : 0);
}

async function runStaffCommand(settings: Config): Promise<never> {
  const run = staffCommand([id, event, ...words].filter((word) => word !== ""));
  if (!run) {
    console.error(usage);
    process.exit(2);
  }
  const here = await onShop(settings, (ctx) => run(ctx, settings));
  if (!here) {
    console.error(`the data folder ${settings.dataDir} is in use: stop the shop first, or set DATABASE_URL`);
    process.exit(1);
  }
  for (const line of here.value.lines) console.log(line);
  process.exit(here.value.isDone ? 0 : 1);
}

async function listWaiting(settings: Config): Promise<never> {
  const here = await onShop(settings, async (ctx) => ({
    ...(await inquiries.waiting(ctx)),
    orders: (await orders.waiting(ctx)).map(waitingOrderView),
  }));
  for (const order of here?.value.orders ?? (await fetchList<WaitingOrderView>(settings, "waiting"))) console.log(reportWaiting(order));
  if (!here) {
    console.error(
      `reviews and requests are not listed: the data folder ${settings.dataDir} is in use. ` +
        "Stop the shop first, or set DATABASE_URL; the letters to the desk name each of them too",
    );
    process.exit(1);
  }
  for (const { id: of, name, rating, body, isSuspect } of here.value.reviews)
    console.log(`review ${of}  ${rating} of 5  ${name}${isSuspect ? "  (a robot?)" : ""}\n  ${body.replaceAll("\n", "\n  ")}`);
  for (const { id: of, kind, name, phone, createdAt, isSuspect } of here.value.inquiries)
    console.log(`inquiry ${of}  ${kind}  ${isoMoscow(createdAt)}  ${name}  ${phone}${isSuspect ? "  (a robot?)" : ""}`);
  process.exit(0);
}

async function listSubscribers(settings: Config): Promise<never> {
  const here = await onShop(settings, async (ctx) =>
    (await newsletter.subscribers(ctx)).map((each) => ({ ...each, since: isoMoscow(each.since) })),
  );
  process.stdout.write(subscribersCsv(here?.value ?? (await fetchList(settings, "subscribers"))), () => process.exit(0));
  return new Promise<never>(() => {}); // a pipe accepts a long list in parts
}

async function listDifferences(settings: Config): Promise<never> {
  const own = await openConfiguredDatabase(settings, createLog("warn"));
  if (!own) {
    console.error(`the data folder ${settings.dataDir} is in use: stop the shop first, or set DATABASE_URL`);
    process.exit(1);
  }
  const found = await payment.differences(own.database.db);
  for (const { foundAt, kind, providerId, orderId: of, ours, theirs } of found)
    console.log(
      `${isoMoscow(foundAt)}  ${kind}  ${kind.startsWith("refund_") ? "refund" : "payment"} ${providerId}  ` +
        `order ${of ?? "unknown"}  ours: ${ours || "nothing"}  theirs: ${theirs || "nothing"}`,
    );
  console.log(`${found.length} differences`);
  await own.close();
  process.exit(0);
}

async function listReceipts(settings: Config): Promise<never> {
  const here = await onShop(settings, async (ctx) => (await payment.receiptsWaiting(ctx.db)).map(waitingReceipt));
  const waiting = here?.value ?? (await fetchList<WaitingReceipt>(settings, "receipts"));
  for (const { id: of, orderId, kind, registrar, mode, amount, email, lines, createdAt } of waiting) {
    console.log(
      `receipt ${of}  order ${orderId}  ${createdAt}  ${kind}, ${mode}, ${amount} roubles, ${email}  ` +
        (registrar === "office" ? "to print" : "failed: retry, or print"),
    );
    for (const { title, quantity, price, vatCode } of lines) console.log(`  ${title}  ${quantity} × ${price}  VAT code ${vatCode}`);
  }
  process.exit(0);
}

async function listRefunds(settings: Config): Promise<never> {
  const here = await onShop(settings, async (ctx) => (await payment.refundsWaiting(ctx)).map(waitingRefund));
  const waiting = here?.value ?? (await fetchList<WaitingRefundView>(settings, "refunds"));
  for (const { id: of, orderId, why, amount, cause, createdAt, unansweredSince } of waiting) {
    const whatToDo = {
      stuck: `no answer of the provider since ${unansweredSince}`,
      refused: "turned down: find out why, then order … refund, or transfer it and record that in the back office",
      by_hand: "send it, then order … refund",
    }[why];
    console.log(`refund ${of}  order ${orderId}  ${createdAt}  ${amount} roubles, ${cause}  ${whatToDo}`);
  }
  console.log(`${waiting.length} refunds wait`);
  process.exit(0);
}

type CommandOutcome = { isDone: boolean; text: string };

/** Null when another process has locked the embedded database. */
async function applyHere(settings: Config, { apply }: DeskCommand): Promise<CommandOutcome | null> {
  const here = await onShop(settings, (ctx) => apply(ctx, id, event, words, options));
  if (!here) return null;
  if (here.value.ok) return { isDone: true, text: `${what} ${id}: ${here.value.value}` };
  const { code, ...more } = here.value.error;
  return {
    isDone: false,
    text: `refused: ${code} ${problems[code].message}${Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : ""}`,
  };
}

async function applyOverHttp(settings: Config, { path }: DeskCommand, wanted: object): Promise<CommandOutcome> {
  const answer = await post(settings, `${path}/${encodeURIComponent(id)}`, wanted);
  const reply = (await answer.json()) as { data?: { status: string; seal?: string; insured?: number }; code?: string; message?: string };
  if (answer.ok) return { isDone: true, text: `${what} ${id}: ${reply.data ? packedText(reply.data) : "done"}` };
  return { isDone: false, text: `refused: ${reply.code} ${reply.message}${reply.data ? ` ${JSON.stringify(reply.data)}` : ""}` };
}

async function postForData<T>(settings: Config, path: string, wanted: object): Promise<T> {
  const answer = await post(settings, path, wanted);
  if (!answer.ok) throw new Error(`the shop answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}

async function fetchList<T>(settings: Config, path: string): Promise<T[]> {
  const answer = await callShop(settings, path, { method: "GET" });
  if (!answer.ok) throw new Error(`the shop answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: T[] }).data;
}

function post(settings: Config, path: string, wanted: object): Promise<Response> {
  return callShop(settings, path, {
    method: "POST",
    headers: { "content-type": "application/json", [deskUserHeader]: encodeURIComponent(staffName) },
    body: JSON.stringify(wanted),
  });
}

type ShopCall = { method: "GET" | "POST"; headers?: Record<string, string>; body?: string };

/** The demo shop answers under the host of its own address alone; `fetch` would send that of this machine. */
async function callShop(settings: Config, path: string, call: ShopCall): Promise<Response> {
  const headers = { ...call.headers, host: new URL(settings.publicUrl).host };
  const { statusCode, body } = await request(`http://127.0.0.1:${settings.PORT}/_demo/${path}`, { ...call, headers });
  return new Response(await body.text(), { status: statusCode });
}
