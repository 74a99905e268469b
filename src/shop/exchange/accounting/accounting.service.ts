import { countLimit } from "#kit/count-limit.ts";
import { inTransaction, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { zero } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { unzipWithin } from "#kit/documents/spreadsheet/unzip.ts";
import { days, minutes, plus } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import * as catalogPrices from "#shop/catalog/prices/service.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as orders from "#shop/orders/export/export.service.ts";
import type { ExportedOrder } from "#shop/orders/export/exported-order.ts";
import { piecesOf } from "#shop/orders/order.ts";
import { addressOf } from "../exports/export.service.ts";
import { deliveryNames, orderStateNames, paymentNames } from "../exports/texts.ru.ts";
import * as imports from "../imports/import.service.ts";
import {
  confirmedStates,
  sentOnlyAgain,
  takesArchives,
  type AccountingContent,
  type OrderForAccounting,
  type SessionType,
  type Verdict,
} from "./accounting.ts";
import * as rows from "./accounting.repository.ts";
import type { ExchangeSession } from "./accounting.repository.ts";
import * as pendingOffers from "./offers.repository.ts";
import * as offers from "./offers.service.ts";

/**
 * The server side of the exchange with the accounting system (CommerceML): checkauth → init → file → import, or query → success. The
 * accounting system is always the client and repeats calls without an answer, so each step may be called twice.
 *
 * Nothing that it sends is applied here. Stock and prices become a checked import that staff applies, with the approvals of any import
 * (offers.service.ts); documents about orders are stored and shown; unknown goods wait for staff to map them to coins.
 */

const megabyte = 1024 ** 2;
const success = (detail = ""): Verdict => ({ verdict: "success", detail });
const failure = (detail: string): Verdict => ({ verdict: "failure", detail });

/** Starts a session; returns the token for its cookie. Earlier sessions of the type end. */
export async function begin(ctx: Ctx, type: SessionType): Promise<string> {
  const token = randomId(24);
  await inTransaction(ctx.db, (tx) => rows.startSession(tx, sha256(token), type, ctx.now()));
  return token;
}

/** The session of a token; null: there is none, or it paused too long. */
export const findSession = (ctx: Ctx, token: string): Promise<ExchangeSession | null> =>
  rows.useSession(ctx.db, sha256(token), { after: plus(ctx.now(), -minutes(ctx.settings.limits.accountingSessionMinutes)), at: ctx.now() });

/** Deletes what the session has sent so far. */
export const init = (ctx: Ctx, { tokenHash }: ExchangeSession, version: string | null): Promise<void> =>
  inTransaction(ctx.db, (tx) => rows.restart(tx, tokenHash, version));

/** The name of a file without folders, drives and what else a Windows program may put in front of it; null: not a file for the shop. */
function plainName(given: string): string | null {
  const name = given.replaceAll("\\", "/").split("/").at(-1)?.trim() ?? "";
  return /^[^/\0]{1,120}\.(xml|zip)$/i.test(name) ? name.toLowerCase() : null;
}

/** Appends a part to a file. Pictures are accepted and dropped: coins have pictures of their own. */
export async function receivePart(ctx: Ctx, session: ExchangeSession, given: string, bytes: Buffer): Promise<Verdict> {
  const name = plainName(given);
  if (name === null) return success();
  if (bytes.length === 0) return failure("Пустая часть файла");
  const isReadAtOnce = !takesArchives(session.type, session.version);
  if (isReadAtOnce && name.endsWith(".zip")) return failure("Архив не принят: на init без version сайт ответил zip=no");
  const stored = await inTransaction(ctx.db, async (tx) => {
    if (!(await rows.lockSession(tx, session.tokenHash))) return false;
    const isTooMuch = (await rows.storedBytes(tx, session.tokenHash)) + bytes.length > ctx.settings.limits.accountingMegabytes * megabyte;
    if (!isTooMuch) await rows.addPart(tx, session.tokenHash, name, bytes);
    return !isTooMuch;
  });
  if (!stored) return failure("Файлы больше, чем принимает сайт");
  if (!isReadAtOnce) return success();
  const whole = await rows.contentOf(ctx.db, session.tokenHash, name);
  return isWhole(whole) ? importFile(ctx, session, name) : success();
}

/** Whether a file ends with its root, in either encoding. */
const isWhole = (bytes: Buffer): boolean => {
  const end = bytes.subarray(-200);
  return [new TextDecoder("utf-8"), new TextDecoder("windows-1251")].some((decoder) =>
    decoder.decode(end).trimEnd().endsWith("</КоммерческаяИнформация>"),
  );
};

/**
 * Processes one file of the session; `progress`: call again. An archive is unpacked by one call, each file is processed by another.
 * Repeated after its success it does nothing. All or nothing: what a damaged file holds is not processed in part.
 */
export async function importFile(ctx: Ctx, session: ExchangeSession, given: string): Promise<Verdict> {
  const name = plainName(given);
  if (name === null) return failure("Неизвестный файл");
  const known = await rows.filesOf(ctx.db, session.tokenHash);
  const archive = known.find((each) => each.name.endsWith(".zip") && !each.isDone);
  if (archive) return unpack(ctx, session, archive.name);
  const file = known.find((each) => each.name === name);
  if (!file) return failure(`Файл ${name} не передан`);
  if (file.isDone) return success("уже принят");
  if (name.endsWith(".zip")) return success();
  const read = await ctx.gateways.accounting.read(await rows.contentOf(ctx.db, session.tokenHash, name));
  if (!read.ok) return failure(read.error.why);
  const found = read.value;
  const closed = await inTransaction(ctx.db, async (tx) => {
    const ended = await lockFile(tx, session, name);
    if (!ended) await saveGoods(ctx, tx, found);
    return ended;
  });
  if (closed) return closed;
  // Comparing takes seconds and changes nothing, so it runs between the transactions.
  const compared = found.goods.length + found.offers.length > 0 ? await offers.compare(ctx) : null;
  return inTransaction(ctx.db, async (tx) => {
    const ended = await lockFile(tx, session, name);
    if (ended) return ended;
    const inside = { ...ctx, db: tx };
    if (compared) await offers.store(inside, compared);
    await saveDocuments(inside, found);
    await rows.markDone(tx, session.tokenHash, name, ctx.now());
    const guids = [...new Set(found.offers.map(({ guid }) => guid))];
    return success(summary(found, guids.length - (await rows.coinsByGuid(tx, guids)).size));
  });
}

/** Locks the session for a step with one of its files. A verdict: there is nothing to do. */
async function lockFile(tx: Tx, { tokenHash }: ExchangeSession, name: string): Promise<Verdict | null> {
  if (!(await rows.lockSession(tx, tokenHash))) return failure("Сеанс закончился");
  const file = (await rows.filesOf(tx, tokenHash)).find((each) => each.name === name);
  return file?.isDone ? success("уже принят") : null;
}

async function unpack(ctx: Ctx, { tokenHash }: ExchangeSession, name: string): Promise<Verdict> {
  const bytes = await rows.contentOf(ctx.db, tokenHash, name);
  const { accountingMegabytes } = ctx.settings.limits;
  const unzipped = unzipWithin(bytes, {
    maxBytes: accountingMegabytes * megabyte,
    maxFiles: 20_000,
    wanted: (each) => plainName(each)?.endsWith(".xml") === true,
  });
  if ("fault" in unzipped)
    return failure(unzipped.fault === "damaged" ? "Архив повреждён или передан не целиком" : "Архив слишком большой");
  return inTransaction(ctx.db, async (tx) => {
    if (!(await rows.lockSession(tx, tokenHash))) return failure("Сеанс закончился");
    const known = await rows.filesOf(tx, tokenHash);
    if (known.some((each) => each.name === name && each.isDone)) return { verdict: "progress", detail: "Архив распакован" };
    for (const [path, content] of unzipped.files) {
      const plain = plainName(path);
      if (plain !== null && !known.some((each) => each.name === plain)) await rows.addPart(tx, tokenHash, plain, Buffer.from(content));
    }
    await rows.markDone(tx, tokenHash, name, ctx.now());
    return { verdict: "progress", detail: "Архив распакован" };
  });
}

/**
 * Stores goods and what they are offered at, with the coins that their articles name: the shop's article, or a number of the central bank
 * that one coin only has.
 */
async function saveGoods(ctx: Ctx, tx: Tx, content: AccountingContent): Promise<void> {
  const seen = seenGoods(content);
  if (seen.size === 0) return;
  await pendingOffers.lock(tx);
  const byArticle = articlesOf(await allCoins({ ...ctx, db: tx }));
  await rows.saveGoods(
    tx,
    [...seen.values()].map((good) => ({ ...good, coinId: byArticle.get(good.article.trim()) ?? null })),
    ctx.now(),
  );
}

/** The goods of a file. One may stand in it several times: as a good, with its pieces, and with its price. */
function seenGoods({ goods, offers: offered }: AccountingContent): Map<string, Omit<rows.SeenGood, "coinId">> {
  const seen = new Map<string, Omit<rows.SeenGood, "coinId">>();
  for (const { guid, article, name, quantity, price } of offered) {
    const known = seen.get(guid);
    seen.set(guid, {
      guid,
      article: article || (known?.article ?? ""),
      name: name || (known?.name ?? ""),
      isDeleted: false,
      quantity: quantity ?? known?.quantity ?? null,
      price: price ?? known?.price ?? null,
    });
  }
  for (const good of goods) {
    const { quantity = null, price = null } = seen.get(good.guid) ?? {};
    seen.set(good.guid, { ...good, quantity, price });
  }
  return seen;
}

async function allCoins(ctx: Ctx): Promise<Coin[]> {
  const ids = (await catalogPrices.pricedCoins(ctx.db, {})).map(({ id }) => id);
  return catalog.coinsByIds(ctx.db, ids);
}

function articlesOf(coins: readonly Coin[]): Map<string, number> {
  const numbers = new Map<string, number | null>();
  for (const { id, catalogueNumber } of coins)
    if (catalogueNumber !== null) numbers.set(catalogueNumber, numbers.has(catalogueNumber) ? null : id);
  const known = [...numbers].flatMap(([number, id]): [string, number][] => (id === null ? [] : [[number, id]]));
  return new Map([...known, ...coins.map(({ id }) => [String(id), id] as const)]);
}

/** Documents are shown to staff. They move no order: money and parcels have steps of their own, with receipts and stock behind them. */
async function saveDocuments(ctx: Ctx, { documents }: AccountingContent): Promise<void> {
  if (documents.length === 0) return;
  const ours = await orders.numbersOf(ctx.db, [...new Set(documents.flatMap(({ orderIds }) => orderIds))]);
  await rows.saveDocuments(
    ctx.db,
    documents.map(({ orderIds, ...document }) => ({ ...document, orderId: orderIds.find((id) => ours.has(id)) ?? null })),
    ctx.now(),
  );
}

function summary({ goods, offers, documents, faults }: AccountingContent, unknown: number): string {
  const parts = [
    goods.length > 0 ? `товаров ${goods.length}` : "",
    offers.length > 0 ? `предложений ${offers.length}` : "",
    unknown > 0 ? `без монеты ${unknown}` : "",
    documents.length > 0 ? `документов ${documents.length}` : "",
    faults.length > 0 ? `не прочитано ${faults.length}: ${faults.slice(0, 3).join("; ")}` : "",
  ];
  return parts.filter(Boolean).join(", ").slice(0, 900);
}

/** Confirmed orders that it does not have as they are now, as a file; `success` afterwards confirms exactly these. */
export async function query(ctx: Ctx, { tokenHash }: ExchangeSession): Promise<{ bytes: Buffer; orders: number }> {
  const found = await waitingOrders(ctx, ctx.settings.limits.accountingOrders);
  const coinIds = [...new Set(found.flatMap(({ lines }) => lines.map(({ coinId }) => coinId)))];
  const guids = await rows.guidsByCoin(ctx.db, coinIds);
  const withoutDelivery = await orders.withRefundedDelivery(ctx.db, found);
  await rows.saveOffered(
    ctx.db,
    tokenHash,
    found.map(({ id, revision }) => ({ id, revision })),
  );
  const bytes = ctx.gateways.accounting.orders(
    found.map((order) => orderFor(withoutDelivery.has(order.id) ? { ...order, deliveryPrice: zero } : order, guids)),
    ctx.now(),
  );
  return { bytes, orders: found.length };
}

/** The names that orders are sent with, in the format of the accounting system. */
export function info(ctx: Ctx): Buffer {
  const named = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([id, name]) => ({ id, name }));
  return ctx.gateways.accounting.lists({
    states: named(orderStateNames),
    payments: named(paymentNames),
    deliveries: named(deliveryNames),
  });
}

const waitingOrders = (ctx: Ctx, limit: number): Promise<ExportedOrder[]> =>
  orders.unsentOrders(ctx.db, {
    states: confirmedStates,
    onlyAgain: sentOnlyAgain,
    since: plus(ctx.now(), -days(ctx.settings.limits.accountingOrderDays)),
    sent: rows.sentOrders,
    limit,
  });

function orderFor(order: ExportedOrder, guids: ReadonlyMap<number, string>): OrderForAccounting {
  const { user, state } = order;
  return {
    id: order.id,
    number: order.number,
    createdAt: order.createdAt,
    state,
    stateName: orderStateNames[state],
    // What was refunded of an order that continues is no longer in its lines, or was a discount afterwards.
    isPaid: order.paid >= order.total && order.refunded < order.paid,
    isCancelled: state === "cancelled",
    isShipped: ["shipped", "ready", "delivered"].includes(state),
    paymentName: paymentNames[order.paymentMethodId] ?? String(order.paymentMethodId),
    deliveryName: deliveryNames[order.deliveryId] ?? order.delivery.name,
    deliveryPrice: order.deliveryPrice,
    address: addressOf(order),
    // The same buyer has the same id; a guest is known by the phone, which is not sent as an id.
    buyer: {
      id: order.customerId ?? sha256(`buyer ${user.phone}`).slice(0, 32),
      name: fullNameOf(user),
      phone: user.phone,
      email: user.email,
    },
    lines: order.lines.flatMap((line) =>
      piecesOf(line) > 0
        ? [
            {
              guid: guids.get(line.coinId) ?? "",
              article: String(line.coinId),
              title: line.title,
              quantity: piecesOf(line),
              price: line.price,
            },
          ]
        : [],
    ),
  };
}

/** Confirms the orders of the last `query`: as they were then, so that later changes are sent again. Idempotent. */
export async function confirm(ctx: Ctx, { tokenHash, offered }: ExchangeSession): Promise<number> {
  if (!offered) return 0;
  await inTransaction(ctx.db, async (tx) => {
    await rows.saveSent(tx, offered, ctx.now());
    await rows.saveOffered(tx, tokenHash, []);
  });
  return offered.length;
}

/** Stores what a call ended with, for the screen of the back office. */
export const noteCall = (ctx: Ctx, call: { type: string; mode: string } & Verdict): Promise<void> =>
  rows.addCall(ctx.db, { at: ctx.now(), type: call.type, mode: call.mode, outcome: call.verdict, detail: call.detail.slice(0, 1_000) });

export type AccountingStatus = {
  calls: rows.AccountingCall[];
  importsWaiting: number;
  /** Goods with an offer that no waiting import holds. */
  offersWaiting: number;
  ordersWaiting: number;
  unknownGoods: number;
  documents: rows.StoredDocument[];
};

const shownCalls = 30;

/** What the screen of the exchange shows. */
export async function status(ctx: Ctx): Promise<AccountingStatus> {
  return {
    calls: await rows.newestCalls(ctx.db, shownCalls),
    importsWaiting: await imports.countFromAccounting(ctx.db),
    offersWaiting: await pendingOffers.countUnseen(ctx.db, countLimit),
    ordersWaiting: (await waitingOrders(ctx, countLimit)).length,
    unknownGoods: await rows.countUnknown(ctx.db, countLimit),
    documents: await rows.newestDocuments(ctx.db, shownCalls),
  };
}

/** The numbers of these orders. */
export const orderNumbers = (ctx: Ctx, ids: readonly string[]): Promise<Map<string, number>> => orders.numbersOf(ctx.db, ids);

export type GoodWithCoin = { good: rows.AccountingGood; coin: { id: number; title: string } | null };

/** A page of goods with their coins, by the id there. `after`: the id of the last good of the page before; empty: the first page. */
export async function goods(ctx: Ctx, shown: rows.GoodsShown, page: { after: string; limit: number }): Promise<GoodWithCoin[]> {
  const found = await rows.goodsPage(ctx.db, shown, page.after, page.limit);
  const coins = new Map(
    (
      await catalog.coinsByIds(
        ctx.db,
        found.flatMap(({ coinId }) => coinId ?? []),
      )
    ).map(({ id, title }) => [id, title]),
  );
  return found.map((good) => {
    const title = good.coinId === null ? undefined : coins.get(good.coinId);
    return { good, coin: good.coinId === null || title === undefined ? null : { id: good.coinId, title } };
  });
}

/**
 * Maps a good to a coin, marks it as no coin of the shop (`isIgnored`), or clears both. Its pending offer becomes a part of the next
 * import; a waiting import that would write the offer to another coin is discarded. Refuses with `good.not_found` and `coin.not_found`.
 */
export function mapGood(
  ctx: Ctx,
  { guid, coinId, isIgnored }: { guid: string; coinId: number | null; isIgnored: boolean },
): Promise<Result<{ before: { coinId: number | null; isIgnored: boolean } }, { code: "good.not_found" | "coin.not_found" }>> {
  return inTransaction(ctx.db, async (tx) => {
    if (coinId !== null && (await catalog.coinsByIds(tx, [coinId])).length === 0) return fail({ code: "coin.not_found" });
    await pendingOffers.lock(tx);
    const before = await rows.mapGood(tx, guid, {
      coinId,
      isIgnored: isIgnored && coinId === null,
      at: ctx.now(),
      by: actorText(ctx.actor),
    });
    if (!before) return fail({ code: "good.not_found" });
    if (before.coinId !== coinId) {
      const checks = [before.quantityCheck, before.priceCheck].filter((id) => id !== null);
      await imports.discardWaiting({ ...ctx, db: tx }, checks);
    }
    return done({ before: { coinId: before.coinId, isIgnored: before.isIgnored } });
  });
}

/** Deletes sessions with their files after a day, and entries of the list of calls after `accountingDays`. For the sweep. */
export async function forgetOld(ctx: Ctx): Promise<void> {
  const { accountingDays } = ctx.settings.limits;
  await rows.forget(ctx.db, { sessionsBefore: plus(ctx.now(), -days(1)), callsBefore: plus(ctx.now(), -days(accountingDays)) });
}
