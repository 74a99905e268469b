import { inTransaction, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { newsletterConsentVersion } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import type { AlertFacts } from "#shop/notifications/alert-letter.ts";
import * as notifications from "#shop/notifications/service.ts";
import { priceOf } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import * as stock from "#shop/stock/service.ts";
import {
  alertStates,
  hasCrossed,
  hasReturned,
  type Alert,
  type AlertError,
  type AlertRule,
  type AlertSubject,
  type AlertView,
  type SubjectValues,
} from "./alert.ts";
import * as rows from "./repository.ts";

export type NewAlert = { subject: AlertSubject; condition: AlertRule; email: string; customerId: string | null };

/**
 * Stores an alert and sends a letter that asks to confirm it; no other letter is sent before. Repeating the same rule returns the same
 * alert and sends no second letter. Refuses with `product.not_found` (also for a coin off sale, whose name the letter would show) and with
 * `alert.too_many` for a mailbox with `alertsPerMailbox` alerts or with too many unconfirmed ones in a day, because the form may contain
 * the address of another person.
 */
export async function create(
  ctx: Ctx,
  { subject, condition, email, customerId }: NewAlert,
): Promise<Result<{ id: string }, AlertError | { code: "product.not_found" }>> {
  const coinId = "coinId" in subject ? subject.coinId : null;
  const rateCode = "rateCode" in subject ? subject.rateCode : null;
  const [coin = null] = coinId === null ? [] : await catalog.coinsByIds(ctx.db, [coinId]);
  if (coinId !== null && !coin?.isPublished) return fail({ code: "product.not_found" });
  const mailbox = email.toLowerCase();
  return inTransaction(ctx.db, async (tx) => {
    await rows.lockMailbox(tx, mailbox);
    const all = await rows.ofMailbox(tx, mailbox);
    const same = all.find(
      (each) => each.coinId === coinId && each.rateCode === rateCode && each.rule === condition.rule && each.value === condition.value,
    );
    if (same) return done({ id: same.id });
    const { alertsPerMailbox, inquiryLettersPerMailboxDay } = ctx.settings.limits;
    const unanswered = all.filter(({ state, createdAt }) => state === "unconfirmed" && createdAt > plus(ctx.now(), -days(1)));
    if (all.length >= alertsPerMailbox || unanswered.length >= inquiryLettersPerMailboxDay) return fail({ code: "alert.too_many" });
    const alert: Alert = {
      ...condition,
      id: randomId(),
      email: mailbox,
      customerId,
      coinId,
      rateCode,
      state: "unconfirmed",
      timesTold: 0,
      createdAt: ctx.now(),
    };
    await rows.insert(tx, alert);
    await notifications.addAlertLetter(tx, ctx, {
      kind: "alert_to_confirm",
      about: `alert:${alert.id}`,
      email: mailbox,
      facts: factsOf(ctx, { ...alert, coin }),
      value: null,
    });
    return done({ id: alert.id });
  });
}

/** The alert of a link from a letter; refuses a forged link and an ended alert with the same code. */
export async function read(ctx: Ctx, token: string): Promise<Result<AlertView, AlertError>> {
  const id = idOf(ctx, token);
  const alert = id === null ? null : await rows.find(ctx.db, id);
  if (!alert) return fail({ code: "alert.not_found" });
  const [view] = await withCoins(ctx, [alert]);
  return view ? done(view) : fail({ code: "alert.not_found" });
}

/** Confirms an alert and records the consent for it. Idempotent. */
export async function confirm(ctx: Ctx, token: string): Promise<Result<true, AlertError>> {
  const id = idOf(ctx, token);
  if (id === null) return fail({ code: "alert.not_found" });
  return inTransaction(ctx.db, async (tx) => {
    const alert = await rows.find(tx, id);
    if (!alert) return fail({ code: "alert.not_found" });
    const move = step(alertStates, alert.state, "confirm");
    if (move.kind === "moved" && (await rows.move(tx, id, alert.state, move.to))) {
      await customers.recordConsent(tx, {
        customerId: null,
        orderId: null,
        about: `alert:${id}`,
        purpose: "newsletter",
        textVersion: newsletterConsentVersion,
        at: ctx.now(),
      });
    }
    return done(true);
  });
}

/** Deletes an alert. Idempotent: a valid link to a deleted alert is not refused. */
export async function end(ctx: Ctx, token: string): Promise<Result<true, AlertError>> {
  const id = idOf(ctx, token);
  if (id === null) return fail({ code: "alert.not_found" });
  await rows.remove(ctx.db, [id]);
  return done(true);
}

/** A customer's alerts, newest first, each with the token of its page. */
export async function listOf(ctx: Ctx, customerId: string): Promise<(AlertView & { token: string })[]> {
  return (await withCoins(ctx, await rows.ofCustomer(ctx.db, customerId))).map((alert) => ({ ...alert, token: tokenOf(ctx, alert.id) }));
}

/** Deletes all alerts of an erased account. */
export const deleteOfCustomer = (tx: Tx, customerId: string): Promise<void> => rows.removeOf(tx, customerId);

const atOnce = 500;

/**
 * Checks all confirmed alerts once: a crossed threshold sends one letter, a price that is clearly back arms the alert again.
 * Stale prices are ignored. Safe to run in several processes: each crossing sends one letter.
 */
export async function watch(ctx: Ctx): Promise<void> {
  for (let after = ""; ;) {
    const page = await rows.confirmedAfter(ctx.db, after, atOnce);
    if (page.length === 0) return;
    await watchPage(ctx, page);
    after = page.at(-1)?.id ?? "";
  }
}

/** Deletes alerts that were not confirmed within two days. */
export const deleteUnconfirmed = (ctx: Ctx): Promise<void> => rows.deleteUnconfirmed(ctx.db, plus(ctx.now(), -days(2)));

async function watchPage(ctx: Ctx, page: readonly Alert[]): Promise<void> {
  const views = await withCoins(ctx, page);
  const coinIds = [...new Set(page.flatMap(({ coinId }) => coinId ?? []))];
  const [market, coins, available, list, shownRates] = await Promise.all([
    rates.market(ctx),
    catalog.coinsByIds(ctx.db, coinIds),
    stock.available(ctx.db, coinIds),
    pricing.current(ctx),
    rates.shown(ctx),
  ]);
  const coinById = new Map(coins.map((coin) => [coin.id, coin]));

  function subjectValuesOf({ coinId, rateCode }: Alert): SubjectValues {
    const isMarketOpen = market.isOpen && shownRates !== null && !shownRates.stale;
    if (rateCode !== null)
      return {
        value: shownRates && !shownRates.stale ? Math.round(shownRates.rates[rateCode].value * 10_000) : null,
        available: 0,
        isMarketOpen,
      };
    const coin = coinId === null ? undefined : coinById.get(coinId);
    return {
      value: coin && (coin.kind === "memorable" || !list.isStale) ? priceOf(coin, list).price : null,
      available: available.get(coinId ?? 0) ?? 0,
      isMarketOpen,
    };
  }

  for (const alert of views) {
    const now = subjectValuesOf(alert);
    if (alert.state === "told" && hasReturned(alert, now)) await rows.move(ctx.db, alert.id, "told", "armed");
    if (alert.state !== "armed" || !hasCrossed(alert, now)) continue;
    await inTransaction(ctx.db, async (tx) => {
      if (!(await rows.move(tx, alert.id, "armed", "told"))) return;
      await notifications.addAlertLetter(tx, ctx, {
        kind: "alert_crossed",
        about: `alert:${alert.id}:${alert.timesTold + 1}`,
        email: alert.email,
        facts: factsOf(ctx, alert),
        value: now.value,
      });
    });
  }
}

async function withCoins(ctx: Ctx, alerts: readonly Alert[]): Promise<AlertView[]> {
  const coins = new Map(
    (await catalog.coinsByIds(ctx.db, [...new Set(alerts.flatMap(({ coinId }) => coinId ?? []))])).map((coin) => [coin.id, coin]),
  );
  return alerts.map((alert) => ({ ...alert, coin: coins.get(alert.coinId ?? 0) ?? null }));
}

const factsOf = (ctx: Ctx, { id, coin, rateCode, rule, value }: AlertView): AlertFacts => ({
  token: tokenOf(ctx, id),
  coin: coin && { slug: coin.slug, title: coin.title },
  course: rateCode,
  rule,
  value,
});

/** The token is derived from the id and not stored: only the link in a letter gives access to an alert. */
const tokenOf = (ctx: Ctx, id: string): string => `${id}.${ctx.secrets.sign("alert", id, 32)}`;

function idOf(ctx: Ctx, token: string): string | null {
  const [id = "", signed = "", ...rest] = token.split(".");
  return id !== "" && rest.length === 0 && ctx.secrets.isSigned("alert", id, signed, 32) ? id : null;
}
