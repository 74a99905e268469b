import { countLimit } from "#kit/count-limit.ts";
import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { foldedText } from "#kit/text/folded-text.ts";
import { searchedPhone } from "#kit/text/searched-phone.ts";
import { days, hours, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { titleKey } from "#shop/inquiries/estimate.ts";
import type { CoinCondition, StaffInquiry } from "#shop/inquiries/inquiry.ts";
import * as requests from "#shop/inquiries/staff/requests.service.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import {
  checkedOf,
  checkLines,
  currentSum,
  dealParts,
  dealStates,
  isExpired,
  offeredOf,
  piecesOf,
  pricesByCondition,
  sumOf,
  type Deal,
  type DealError,
  type DealEvent,
  type DealLine,
  type DealPart,
  type DealWithLines,
  type EnteredLine,
  type HistoryEntry,
  type HistoryKind,
  type OfferedLine,
} from "./deal.ts";
import * as rows from "./repository.ts";

/** Deals per page. */
export const dealsPageSize = 50;

/** Which deal, and the revision that the member of staff saw. */
export type Seen = { id: number; revision: number };
export type Changed = Result<DealWithLines, DealError>;

/* Reading */

/** A deal with its lines; null: there is none. */
export const find = (ctx: Pick<Ctx, "db">, id: number): Promise<DealWithLines | null> => rows.find(ctx.db, id);
/** What happened to a deal, oldest first. */
export const history = (ctx: Pick<Ctx, "db">, id: number): Promise<HistoryEntry[]> => rows.historyOf(ctx.db, id);

/** `text`: the number, words of the name, or a part of the phone; `phonesOf`: a phone is searched in the deals of this assignee only. */
export type DealFilter = { part: DealPart | null; assignee?: string | null; text?: string; phonesOf: string | null };

/** Deals, newest first, behind the number `before`. */
export function list(
  ctx: Pick<Ctx, "db" | "now">,
  { text = "", phonesOf, ...filter }: DealFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<Deal[]> {
  const searched = text.trim() === "" ? {} : { text: searchedText(text.trim(), phonesOf) };
  return rows.page(ctx.db, { ...filter, ...searched }, { before, limit, endOfDay: endOfDay(ctx) });
}

function searchedText(text: string, phonesOf: string | null): rows.SearchedText {
  const [, number] = /^(?:№\s*)?(\d{1,9})$/u.exec(text) ?? [];
  const words = foldedText(text).split(/\s+/).filter(Boolean);
  return { id: number === undefined ? null : Number(number), phone: searchedPhone(text), phonesOf, words };
}

const endOfDay = (ctx: Pick<Ctx, "now">): Date => plus(fromMoscow(moscow(ctx.now()).date), days(1));

/** How many deals each part has; counts stop at 1,001. */
export async function counts(ctx: Pick<Ctx, "db" | "now">): Promise<Record<DealPart, number>> {
  const found = await Promise.all(
    dealParts.map(async (part) => [part, await rows.countPart(ctx.db, part, endOfDay(ctx), countLimit)] as const),
  );
  return Object.fromEntries(found) as Record<DealPart, number>;
}

/** The deals of a part that wait for staff, the longest waiting first. */
export const waiting = (ctx: Pick<Ctx, "db" | "now">, part: DealPart, limit: number): Promise<Deal[]> =>
  rows.oldestOf(ctx.db, part, endOfDay(ctx), limit);

/** Today's buyback price of a coin; null: the shop does not buy it, or prices are not known. */
export function buybackToday(coin: Coin, list: PriceList): Kopecks | null {
  return coin.kind === "bullion" && list.isDead ? null : priceOf(coin, list).buyback;
}

/** A buyback request with the coins of the catalogue that have its titles; null: there is no such request. */
export async function requestForDeal(
  ctx: Ctx,
  id: number,
): Promise<{ inquiry: StaffInquiry; coins: { title: string; quantity: number; coin: Coin | null }[]; dealId: number | null } | null> {
  const inquiry = await requests.card(ctx, id);
  if (inquiry?.kind !== "buyback") return null;
  const wanted = inquiry.details.coins ?? [];
  const keys = new Set(wanted.map(({ title }) => titleKey(title)));
  const named = (await catalog.titles(ctx.db)).filter(({ title }) => keys.has(titleKey(title)));
  const ids = named.map((each) => each.id);
  const coins = Map.groupBy(await catalog.coinsByIds(ctx.db, ids), ({ title }) => titleKey(title));
  const coinOf = (title: string): Coin | null => {
    const found = coins.get(titleKey(title)) ?? [];
    return found.length === 1 ? (found[0] ?? null) : null;
  };
  return {
    inquiry,
    coins: wanted.map(({ title, count }) => ({ title, quantity: count, coin: coinOf(title) })),
    dealId: await rows.ofRequest(ctx.db, id),
  };
}

/** The sum of an offer at today's prices; null: a coin has no price today. Prices typed by hand stay. */
export async function sumToday(ctx: Ctx, deal: DealWithLines): Promise<Kopecks | null> {
  const lines = await atTodaysPrices(ctx, deal.lines, await pricing.current(ctx));
  return lines && sumOf(offeredOf(lines));
}

/* Offers */

export type NewDeal = {
  requestId: number | null;
  name: string;
  phone: string;
  email: string;
  note: string;
  lines: readonly OfferedLine[];
  isLocked: boolean;
};
/** Who makes an offer; `mayOpenAll`: may open the contacts of every request and deal. */
export type Maker = { login: string; mayOpenAll: boolean };

/**
 * Stores an offer, assigned to its maker; `isLocked`: its prices hold from now on. Empty contacts are those of the request. Each call
 * stores another one. Refuses with `buyback.unknown_coins`, `buyback.other_prices` when a price that was not typed in is not today's,
 * `buyback.request_not_found`, and `buyback.not_own` for the request of a colleague.
 */
export function create(ctx: Ctx, { requestId, lines, isLocked, ...entered }: NewDeal, { login, mayOpenAll }: Maker): Promise<Changed> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const inquiry = requestId === null ? null : await requests.card(inside, requestId);
    if (requestId !== null && inquiry?.kind !== "buyback") return fail({ code: "buyback.request_not_found" });
    // The deal would open the contacts of the request to its maker.
    const isColleagues = inquiry?.assignee != null && inquiry.assignee !== login;
    if (isColleagues && !mayOpenAll) return fail({ code: "buyback.not_own" });
    const list = await pricing.current(inside);
    const offered = await offeredLines(tx, lines, list);
    if (!offered.ok) return offered;
    const now = ctx.now();
    const sum = sumOf(lines);
    const id = await rows.insert(tx, {
      state: isLocked ? "locked" : "offered",
      name: entered.name || (inquiry?.name ?? ""),
      phone: entered.phone || (inquiry?.phone ?? ""),
      email: entered.email || (inquiry?.email ?? ""),
      note: entered.note,
      requestId,
      assignee: login,
      offerKopecks: sum,
      pieces: piecesOf(lines),
      createdAt: now,
      changedAt: now,
      ...(isLocked ? lockUntil(ctx, list) : {}),
    });
    await rows.replaceLines(tx, id, offered.value);
    const entry = { at: now, actor: actorText(ctx.actor), sum, note: "" };
    await rows.insertEvent(tx, id, { ...entry, kind: "create", state: "offered" });
    if (isLocked) await rows.insertEvent(tx, id, { ...entry, kind: "lock", state: "locked" });
    return stored(tx, id);
  });
}

/**
 * Replaces the lines and the note of an offer; `isLocked`: locks it too. Refuses like every change, and with `buyback.unknown_coins` and
 * `buyback.other_prices`.
 */
export const edit = (
  ctx: Ctx,
  seen: Seen,
  { note, lines, isLocked }: { note: string; lines: readonly OfferedLine[]; isLocked: boolean },
): Promise<Changed> =>
  change(ctx, seen, async (tx, deal) => {
    if (deal.state !== "offered") return fail({ code: "buyback.wrong_state" });
    const list = await pricing.current({ ...ctx, db: tx });
    const offered = await offeredLines(tx, lines, list);
    if (!offered.ok) return offered;
    const sum = sumOf(lines);
    return done({
      kind: isLocked ? "lock" : "edit",
      patch: {
        note,
        offerKopecks: sum,
        pieces: piecesOf(lines),
        ...(isLocked ? { state: "locked", ...lockUntil(ctx, list) } : {}),
      },
      lines: offered.value,
      sum,
    });
  });

/**
 * Locks an offer for the hours of the settings, at today's prices. `shown`: the sum that was confirmed. Refuses with `buyback.other_sum`
 * when today's prices give another sum, and with `buyback.wrong_state` when a coin has no price.
 */
export const lock = (ctx: Ctx, seen: Seen, shown: Kopecks): Promise<Changed> =>
  change(ctx, seen, async (tx, deal) => moved(deal, "lock", () => lockToday({ ...ctx, db: tx }, deal, shown)));

/** Locks an offer whose time has run out again. Refuses like `lock`, and with `buyback.wrong_state` while the lock holds. */
export const renew = (ctx: Ctx, seen: Seen, shown: Kopecks): Promise<Changed> =>
  change(ctx, seen, async (tx, deal) =>
    moved(deal, "renew", async () =>
      isExpired(deal, ctx.now()) ? lockToday({ ...ctx, db: tx }, deal, shown) : fail({ code: "buyback.wrong_state" }),
    ),
  );

async function lockToday(ctx: Ctx, deal: DealWithLines, shown: Kopecks): Promise<Result<Omit<Effect, "kind">, DealError>> {
  const list = await pricing.current(ctx);
  const lines = await atTodaysPrices(ctx, deal.lines, list);
  if (!lines) return fail({ code: "buyback.wrong_state" });
  const sum = sumOf(offeredOf(lines));
  return sum === shown
    ? done({ patch: { offerKopecks: sum, ...lockUntil(ctx, list) }, lines, sum })
    : fail({ code: "buyback.other_sum", sum });
}

/** Cancels an offer before the coins have come; the identity document is erased. */
export const cancel = (ctx: Ctx, seen: Seen, reason: string): Promise<Changed> =>
  change(ctx, seen, async (_, deal) => moved(deal, "cancel", async () => done({ patch: closed(ctx), note: reason })));

/* Coins */

/** Records that the coins have come. Refuses with `buyback.expired` when the lock has run out. */
export const receive = (ctx: Ctx, seen: Seen): Promise<Changed> =>
  change(ctx, seen, async (_, deal) => {
    if (isExpired(deal, ctx.now())) return fail({ code: "buyback.expired" });
    return moved(deal, "receive", async () => done({ patch: { receivedAt: ctx.now() } }));
  });

/**
 * Records what the check found, again until the payout. Offered coins that are not named have not come. Refuses with
 * `buyback.reason_missing` when anything differs from the offer, `buyback.nothing` when no piece is left, and `buyback.unknown_coins`.
 */
export const check = (ctx: Ctx, seen: Seen, found: { lines: readonly EnteredLine[]; reason: string }): Promise<Changed> =>
  change(ctx, seen, async (tx, deal) =>
    moved(deal, "check", async () => {
      const unknown = await unknownCoins(tx, found.lines);
      if (unknown.length > 0) return fail({ code: "buyback.unknown_coins", ids: unknown });
      const { lines, isDifferent } = checkLines(deal.lines, found.lines);
      const checked = checkedOf(lines);
      if (piecesOf(checked) === 0) return fail({ code: "buyback.nothing" });
      if (isDifferent && found.reason === "") return fail({ code: "buyback.reason_missing" });
      const sum = sumOf(checked);
      return done({
        patch: { checkedAt: ctx.now(), checkedKopecks: sum, pieces: piecesOf(checked), checkReason: found.reason },
        lines,
        sum,
        note: found.reason,
      });
    }),
  );

/** Records that the seller has the coins back; the identity document is erased. */
export const giveBack = (ctx: Ctx, seen: Seen, reason: string): Promise<Changed> =>
  change(ctx, seen, async (_, deal) => moved(deal, "return", async () => done({ patch: closed(ctx), note: reason })));

/* People */

/**
 * Assigns a deal to a member of staff; null: frees it. `from`: the assignee that the caller saw. The revision stays, because an approval of
 * the payout may wait for it. Refuses with `buyback.not_found`, and `buyback.stale` when the deal is assigned to another one.
 */
export function assign(ctx: Ctx, { id, from }: { id: number; from: string | null }, assignee: string | null): Promise<Changed> {
  return inTransaction(ctx.db, async (tx) => {
    const deal = await rows.lock(tx, id);
    if (!deal) return fail({ code: "buyback.not_found" });
    if (deal.assignee !== from) return fail({ code: "buyback.stale", current: deal });
    await rows.setAssignee(tx, id, assignee);
    const entry = { kind: "assign", state: deal.state, sum: currentSum(deal), note: assignee ?? "" } as const;
    await rows.insertEvent(tx, id, { ...entry, at: ctx.now(), actor: actorText(ctx.actor) });
    return stored(tx, id);
  });
}

/**
 * The deal with its contacts, for a member of staff who may open those of every deal (`mayOpenAll`) or of its own. `take`: a free deal is
 * assigned to `login`. Refuses with `buyback.not_own`.
 */
export function openContacts(
  ctx: Ctx,
  id: number,
  { login, take, mayOpenAll }: { login: string; take: boolean; mayOpenAll: boolean },
): Promise<Changed> {
  return inTransaction(ctx.db, async (tx) => {
    const deal = await rows.lock(tx, id);
    if (!deal) return fail({ code: "buyback.not_found" });
    const isTaken = take && deal.assignee === null;
    if (!mayOpenAll && !isTaken && deal.assignee !== login) return fail({ code: "buyback.not_own" });
    return isTaken ? assign({ ...ctx, db: tx }, { id, from: null }, login) : done(deal);
  });
}

/* Common steps */

/** What a change stores. `sum`: of the deal after it, for the history; absent: as before. */
type Effect = { kind: HistoryKind; patch: rows.Patch; lines?: readonly DealLine[]; sum?: Kopecks; note?: string };

/**
 * Locks a deal, applies a rule to it and stores the effect with an entry of the history, in one transaction. Refuses with
 * `buyback.not_found`, and `buyback.stale` when another revision is stored.
 */
export function change(
  ctx: Ctx,
  { id, revision }: Seen,
  rule: (tx: Tx, deal: DealWithLines) => Promise<Result<Effect, DealError>>,
): Promise<Changed> {
  return inTransaction(ctx.db, async (tx) => {
    const deal = await rows.lock(tx, id);
    if (!deal) return fail({ code: "buyback.not_found" });
    if (deal.revision !== revision) return fail({ code: "buyback.stale", current: deal });
    const effect = await rule(tx, deal);
    if (!effect.ok) return effect;
    const { kind, patch, lines, sum = currentSum(deal), note = "" } = effect.value;
    await rows.save(tx, id, patch, ctx.now());
    if (lines) await rows.replaceLines(tx, id, lines);
    await rows.insertEvent(tx, id, {
      at: ctx.now(),
      actor: actorText(ctx.actor),
      kind,
      state: (patch.state ?? deal.state) as Deal["state"],
      sum,
      note,
    });
    return stored(tx, id);
  });
}

/** The effect of an event of the state table; refuses with `buyback.wrong_state` where the table has no such step. */
export async function moved(
  deal: Deal,
  event: DealEvent,
  rule: () => Promise<Result<Omit<Effect, "kind">, DealError>>,
): Promise<Result<Effect, DealError>> {
  const move = step(dealStates, deal.state, event);
  if (move.kind !== "moved") return fail({ code: "buyback.wrong_state" });
  const effect = await rule();
  return effect.ok ? done({ ...effect.value, kind: event, patch: { ...effect.value.patch, state: move.to } }) : effect;
}

async function stored(db: Db, id: number): Promise<Changed> {
  const deal = await rows.find(db, id);
  return deal ? done(deal) : fail({ code: "buyback.not_found" });
}

const lockUntil = (ctx: Ctx, list: PriceList): rows.Patch => ({
  lockedUntil: plus(ctx.now(), hours(ctx.settings.limits.buybackLockHours)),
  priceListVersion: list.version,
});

const closed = (ctx: Ctx): rows.Patch => ({
  closedAt: ctx.now(),
  identity: null,
  identityEnteredAt: null,
  personHash: null,
  nameHash: null,
});

async function unknownCoins(db: Db, lines: readonly EnteredLine[]): Promise<number[]> {
  const ids = lines.map(({ coinId }) => coinId);
  const known = new Set((await catalog.coinsByIds(db, ids)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** The lines to store. A price of the list that is not today's is refused, because today's was not confirmed. */
async function offeredLines(db: Db, lines: readonly OfferedLine[], list: PriceList): Promise<Result<DealLine[], DealError>> {
  const coins = await coinsOf(db, lines);
  const unknown = lines.filter(({ coinId }) => !coins.has(coinId)).map(({ coinId }) => coinId);
  if (unknown.length > 0) return fail({ code: "buyback.unknown_coins", ids: unknown });
  const isOld = ({ coinId, condition, unitPrice, isTyped }: OfferedLine): boolean =>
    !isTyped && priceToday(coins.get(coinId), condition, list) !== unitPrice;
  if (lines.some(isOld)) return fail({ code: "buyback.other_prices", ids: lines.map(({ coinId }) => coinId) });
  return done(lines.map(({ coinId, ...offered }) => ({ coinId, offered, checked: null })));
}

/** Today's price of a piece in this condition; null: the list has none. */
const priceToday = (coin: Coin | undefined, condition: CoinCondition, list: PriceList): Kopecks | null =>
  coin ? pricesByCondition(buybackToday(coin, list))[condition] : null;

/** The offered lines at today's prices; null: a coin has none. Prices typed by hand stay. */
async function atTodaysPrices({ db }: { db: Db }, lines: readonly DealLine[], list: PriceList): Promise<DealLine[] | null> {
  const coins = await coinsOf(db, lines);
  const priced = lines.flatMap((line): DealLine[] => {
    const { coinId, offered } = line;
    if (!offered || offered.isTyped) return [line];
    const unitPrice = priceToday(coins.get(coinId), offered.condition, list);
    return unitPrice === null ? [] : [{ ...line, offered: { ...offered, unitPrice } }];
  });
  return priced.length === lines.length ? priced : null;
}

async function coinsOf(db: Db, lines: readonly { coinId: number }[]): Promise<Map<number, Coin>> {
  const coins = await catalog.coinsByIds(
    db,
    lines.map(({ coinId }) => coinId),
  );
  return new Map(coins.map((coin) => [coin.id, coin]));
}
