import { priceText } from "#kit/format.ts";
import { inTransaction } from "#kit/db.ts";
import { fromRoubles, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import type { FiscalNumbers } from "#shop/payment/receipts/receipt.ts";
import {
  currentSum,
  dealStates,
  documentKey,
  isUnderControl,
  nameKey,
  type Deal,
  type DealError,
  type Identity,
  type Transfer,
} from "./deal.ts";
import * as rows from "./repository.ts";
import { cancel, change, moved, type Changed, type Seen } from "./service.ts";
import { parseIdentity } from "./stored-identity.ts";

/** The sums of a person are those of twelve months. */
const yearDays = 365;

/**
 * Stores the seller's identity document, encrypted with the key of the purpose `buyback`, and the keyed hashes of its number and of name
 * and day of birth. Replaces an earlier one. Refuses with `buyback.wrong_state` once the deal is paid or closed.
 */
export const saveIdentity = (ctx: Ctx, seen: Seen, identity: Identity): Promise<Changed> =>
  change(ctx, seen, async (_, { state }) => {
    if (state === "paid" || state === "shelved" || state === "returned" || state === "cancelled")
      return fail({ code: "buyback.wrong_state" });
    return done({
      kind: "identity",
      patch: {
        identity: ctx.secrets.seal("buyback", JSON.stringify(identity)),
        identityEnteredAt: ctx.now(),
        personHash: ctx.secrets.sign("buyback", documentKey(identity)),
        nameHash: ctx.secrets.sign("buyback", nameKey(identity)),
      },
    });
  });

/** The seller's identity document; null: there is none, or its key is no longer among the secrets. */
export async function openIdentity(ctx: Pick<Ctx, "db" | "secrets">, id: number): Promise<Identity | null> {
  const { identity } = await rows.sealedOf(ctx.db, id);
  const text = identity === null ? null : ctx.secrets.unseal("buyback", identity);
  return text === null ? null : parseIdentity(text);
}

/** The account that a deal was paid to; null: it is not paid, or the account was erased. */
export async function openAccount(ctx: Pick<Ctx, "db" | "secrets">, id: number): Promise<string | null> {
  const { account } = await rows.sealedOf(ctx.db, id);
  return account === null ? null : ctx.secrets.unseal("buyback", account);
}

/** What other deals paid to the seller during the twelve months before this one was paid, or before now. Null: no identity document. */
export function paidInYear(ctx: Pick<Ctx, "db" | "now">, { id, personHash, nameHash, payout }: Deal): Promise<Kopecks> | null {
  if (personHash === null) return null;
  const till = payout?.paidAt ?? ctx.now();
  return rows.paidTo(ctx.db, { personHash, nameHash }, { since: plus(till, -days(yearDays)), till, except: id });
}

/** Whether the payout of a deal brings the sum of its seller to that of mandatory control (115-FZ). */
async function isControlled(ctx: Pick<Ctx, "db" | "now" | "settings">, deal: Deal): Promise<boolean> {
  const paid = await paidInYear(ctx, deal);
  return paid !== null && isUnderControl(paid, currentSum(deal), fromRoubles(ctx.settings.limits.buybackControlRoubles));
}

/**
 * Why the payout needs a second person even when the first one has the permission: it is over the limit, or under mandatory control.
 * Null: it needs none. Inside a transaction other payouts to the same person wait until it ends.
 */
export async function approvalReason(ctx: Ctx, deal: Deal): Promise<string | null> {
  const { payoutApprovalRoubles, buybackControlRoubles } = ctx.settings.limits;
  if (await isControlled(ctx, deal))
    return `Выплаты продавцу за год достигают ${priceText(fromRoubles(buybackControlRoubles))} (115-ФЗ): нужен второй человек`;
  if (currentSum(deal) > fromRoubles(payoutApprovalRoubles))
    return `Выплата больше ${priceText(fromRoubles(payoutApprovalRoubles))}: нужен второй человек`;
  return null;
}

/** Makes other payouts to the seller of a deal wait until the transaction of `ctx.db` ends, so that two of them are not summed apart. */
export async function lockSeller(ctx: Pick<Ctx, "db">, { personHash, nameHash }: Pick<Deal, "personHash" | "nameHash">): Promise<void> {
  if (personHash !== null) await rows.lockPerson(ctx.db, { personHash, nameHash });
}

/**
 * Records the transfer to the seller: the sum of the checked lines, exactly; `shown` is what was confirmed. Sets when the identity document
 * is erased. Refuses with `buyback.no_identity`, `buyback.other_sum`, and `buyback.order_known` for a payment order of another deal.
 */
export function pay(ctx: Ctx, seen: Seen, { transfer, shown }: { transfer: Transfer; shown: Kopecks }): Promise<Changed> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    // The person, also locked by the check for an approval, then the payment order, then the deal. A document that is replaced meanwhile
    // makes the revision stale.
    const before = await rows.find(tx, seen.id);
    if (before) await lockSeller(inside, before);
    await rows.lockPaymentOrder(tx, transfer);
    return change(inside, seen, (_, deal) => moved(deal, "pay", () => payout(inside, deal, { transfer, shown })));
  });
}

/** Whether a payout could be recorded now, before its approval is requested. Refuses like `pay`. */
export async function checkPayout(ctx: Ctx, { id, revision }: Seen, asked: { transfer: Transfer; shown: Kopecks }): Promise<Changed> {
  const deal = await rows.find(ctx.db, id);
  if (!deal) return fail({ code: "buyback.not_found" });
  if (deal.revision !== revision) return fail({ code: "buyback.stale", current: deal });
  if (step(dealStates, deal.state, "pay").kind !== "moved") return fail({ code: "buyback.wrong_state" });
  const refused = await refusalOf(ctx, deal, asked);
  return refused ? fail(refused) : done(deal);
}

async function refusalOf(ctx: Ctx, deal: Deal, { transfer, shown }: { transfer: Transfer; shown: Kopecks }): Promise<DealError | null> {
  const sum = currentSum(deal);
  if (deal.identity === null) return { code: "buyback.no_identity" };
  if (sum !== shown) return { code: "buyback.other_sum", sum };
  const known = await rows.ofPaymentOrder(ctx.db, transfer);
  return known === null ? null : { code: "buyback.order_known", dealId: known };
}

async function payout(
  ctx: Ctx,
  deal: Deal,
  { transfer, shown }: { transfer: Transfer; shown: Kopecks },
): Promise<Result<{ patch: rows.Patch; note: string }, DealError>> {
  const refused = await refusalOf(ctx, deal, { transfer, shown });
  if (refused) return fail(refused);
  const sum = currentSum(deal);
  const now = ctx.now();
  return done({
    patch: {
      payoutKopecks: sum,
      payoutAccount: ctx.secrets.seal("buyback", transfer.account),
      payoutAccountEnd: transfer.account.slice(-4),
      payoutBik: transfer.bik,
      payoutNumber: transfer.number,
      payoutDate: transfer.date,
      paidAt: now,
      identityEraseAt: plus(now, days(ctx.settings.limits.buybackIdentityDays)),
      isFlagged: await isControlled(ctx, deal),
    },
    note: `${transfer.number} ${transfer.date}`,
  });
}

/**
 * Records the receipt of expense that the office's register has printed for a paid deal; repeated, it corrects the numbers. Refuses with
 * `buyback.receipt_known` for the receipt of another deal.
 */
export const recordReceipt = (ctx: Ctx, seen: Seen, numbers: FiscalNumbers): Promise<Changed> =>
  change(ctx, seen, async (tx, { id, state }) => {
    if (state !== "paid" && state !== "shelved") return fail({ code: "buyback.wrong_state" });
    const { storageNumber, documentNumber, attribute } = numbers;
    await rows.lockReceipt(tx, numbers);
    const known = await rows.ofReceipt(tx, numbers);
    if (known !== null && known !== id) return fail({ code: "buyback.receipt_known", dealId: known });
    return done({
      kind: "receipt",
      patch: { receiptStorage: storageNumber, receiptDocument: documentNumber, receiptAttribute: attribute },
    });
  });

const erasedAtOnce = 100;

/**
 * Erases identity document, account, contacts and notes of paid deals whose time of storage is over, and the contacts of deals that were
 * closed without a payout `recordDays` ago. Idempotent.
 */
export async function eraseOld(ctx: Ctx): Promise<void> {
  const closedBefore = plus(ctx.now(), -days(ctx.settings.limits.recordDays));
  for (;;) {
    const ids = await rows.toErase(ctx.db, { now: ctx.now(), closedBefore, limit: erasedAtOnce });
    for (const id of ids) await erase(ctx, id, closedBefore);
    if (ids.length < erasedAtOnce) return;
  }
}

const erase = (ctx: Ctx, id: number, closedBefore: Date): Promise<void> =>
  inTransaction(ctx.db, async (tx) => {
    // Another worker may have erased it since it was found.
    const deal = await rows.lockToErase(tx, id, { now: ctx.now(), closedBefore });
    if (!deal) return;
    await rows.save(tx, id, rows.erased, ctx.now());
    await rows.eraseNotes(tx, id);
    await rows.insertEvent(tx, id, {
      at: ctx.now(),
      actor: actorText(ctx.actor),
      kind: "identity_erased",
      state: deal.state,
      sum: currentSum(deal),
      note: "",
    });
  });

/** After so many days without a change an offer counts as abandoned: nothing else would erase its document and contacts. */
const abandonedDays = 30;

/** Cancels offers, and locked ones whose time has run out, that have not changed for `abandonedDays`. Idempotent. */
export async function cancelAbandoned(ctx: Ctx): Promise<void> {
  const before = plus(ctx.now(), -days(abandonedDays));
  for (;;) {
    const found = await rows.abandoned(ctx.db, { now: ctx.now(), before, limit: erasedAtOnce });
    // One that has changed since it was found is stale, and stays.
    for (const deal of found) await cancel(ctx, deal, `${abandonedDays} дней без изменений`);
    if (found.length < erasedAtOnce) return;
  }
}
