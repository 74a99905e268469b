import type * as z from "zod";
import * as contract from "#contract/staff/buyback/buyback.ts";
import { priceText } from "#kit/format.ts";
import { fromRoubles, type Kopecks } from "#kit/money.ts";
import { done, fail } from "#kit/result.ts";
import { moscow } from "#kit/moscow-time.ts";
import { maskContactsIn, maskEmail, maskPhone } from "#kit/text/mask.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import type { Deal, Identity, Transfer } from "#shop/buyback/deal.ts";
import { contractPdf } from "#shop/buyback/documents/contract-pdf.ts";
import * as payouts from "#shop/buyback/payout.service.ts";
import * as deals from "#shop/buyback/service.ts";
import { shelve } from "#shop/buyback/shelve.service.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { readCode } from "#shop/packing/packing.ts";
import * as pricing from "#shop/pricing/service.ts";
import { isAccount } from "#shop/seller.ts";
import { colleaguesWith } from "#shop/staff/people/colleagues.service.ts";
import { readNumberCursor, viewPage } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { namedIn } from "../names.ts";
import type { May } from "../views.ts";
import { cardView, dealRefusal, enteredLine, offeredLine, pricedCoinView, rowView } from "./buyback-views.ts";

const notFound = fail({ code: "staff.not_found" as const });
const forbidden = fail({ code: "staff.forbidden" as const });
const foundCoins = 20;

const subjectOf = (id: number): string => `buyback:${id}`;
/** For the audit: never the seller, the identity document or the account. */
const factsOf = ({ state, assignee, offerSum, checkedSum, pieces, lockedUntil, isFlagged, receipt, stockDocumentId }: Deal) => ({
  state,
  assignee,
  offerKopecks: offerSum,
  checkedKopecks: checkedSum,
  pieces,
  lockedUntil,
  isFlagged,
  receipt,
  stockDocumentId,
});

/** Runs a change of a deal, with the deal before and after it in the audit. */
async function changed(
  ctx: Ctx,
  id: number,
  { audit, more = {} }: { audit: (event: AuditEvent) => void; more?: Record<string, unknown> },
  work: () => Promise<deals.Changed>,
) {
  const before = await deals.find(ctx, id);
  const result = await work();
  if (!result.ok) return fail(await dealRefusal(ctx, result.error));
  audit({ subject: subjectOf(id), ...(before ? { before: factsOf(before) } : {}), after: { ...factsOf(result.value), ...more } });
  return done(await cardView(ctx, result.value));
}

type PayBody = z.output<(typeof contract.payDeal)["body"]>;
const payoutOf = ({ account, bik, number, date, sum }: PayBody): { transfer: Transfer; shown: Kopecks } => ({
  transfer: { account, bik, number, date },
  shown: fromRoubles(sum),
});
const seenOf = (id: number, { revision }: { revision: number }): deals.Seen => ({ id, revision });

/** The refusal of days after today in Moscow, beside their fields; null: there are none. */
function futureDays(ctx: Ctx, given: Readonly<Record<string, string>>) {
  const today = moscow(ctx.now()).date;
  const late = Object.entries(given).filter(([, date]) => date > today);
  if (late.length === 0) return null;
  return fail({ code: "request.invalid" as const, fields: Object.fromEntries(late.map(([name]) => [name, "Этот день ещё не наступил"])) });
}

/** The identity document opens as the contacts do: to the desk of its own deals only. */
const mayOpenSeller = ({ assignee }: Deal, login: string, may: May): boolean => may("customers.open") !== null || assignee === login;

function identityOf(body: z.output<(typeof contract.saveIdentity)["body"]>): Identity {
  const { revision: _, ...sent } = body;
  const closeUp = (text: string): string => text.replaceAll(/[\s-]/g, "");
  return { ...sent, series: closeUp(sent.series), number: closeUp(sent.number) };
}

/** Purchases from persons. Contacts are masked and identity documents absent until they are opened, which the audit records. */
export const buybackEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readDeals, async (ctx, { query: { part, assignee, text, cursor }, staff, may }) => {
    const filter = {
      part,
      ...(assignee !== undefined && { assignee: assignee === "nobody" ? null : assignee }),
      ...(text !== undefined && { text }),
      // A phone is found only in the deals whose contacts the caller may open.
      phonesOf: may("customers.open") === null ? staff.login : null,
    };
    const rows = await deals.list(ctx, filter, { before: readNumberCursor(cursor, 9), limit: deals.dealsPageSize + 1 });
    const named = await namedIn(
      ctx,
      rows.map(({ assignee: login }) => login),
    );
    return done({
      ...viewPage(
        deals.dealsPageSize,
        rows,
        (deal) => rowView(deal, ctx.now(), named),
        ({ id }) => id,
      ),
      counts: await deals.counts(ctx),
    });
  }),
  staffRead(contract.readDealForm, async (ctx, { query: { request } }) => {
    const lockHours = ctx.settings.limits.buybackLockHours;
    if (request === undefined) return done({ lockHours, request: null });
    const found = await deals.requestForDeal(ctx, request);
    if (!found) return notFound;
    const list = await pricing.current(ctx);
    const { inquiry, coins, dealId } = found;
    return done({
      lockHours,
      request: {
        id: inquiry.id,
        name: maskContactsIn(inquiry.name),
        maskedPhone: maskPhone(inquiry.phone),
        maskedEmail: inquiry.email === "" ? null : maskEmail(inquiry.email),
        condition: inquiry.details.condition ?? "good",
        coins: coins.map(({ coin, ...each }) => ({ ...each, coin: coin && pricedCoinView(coin, list) })),
        dealId,
      },
    });
  }),
  staffRead(contract.findDealCoins, async (ctx, { query: { text } }) => {
    const list = await pricing.current(ctx);
    const byCode = await catalog.coinsByCode(ctx.db, readCode(text));
    const coins = byCode.length > 0 ? byCode : await catalog.findByText(ctx.db, text, foundCoins);
    return done(coins.map((coin) => pricedCoinView(coin, list)));
  }),
  staffRead(contract.readDealColleagues, async (ctx) => done(await colleaguesWith(ctx, "buyback"))),
  staffRead(contract.readDeal, async (ctx, { params: { id } }) => {
    const deal = await deals.find(ctx, id);
    return deal ? done(await cardView(ctx, deal)) : notFound;
  }),

  staffChange(contract.createDeal, {
    change: async (ctx, { body: { request, lines, lock, ...body }, staff, may, audit }) => {
      const deal = { ...body, requestId: request, lines: lines.map(offeredLine), isLocked: lock };
      const made = await deals.create(ctx, deal, { login: staff.login, mayOpenAll: may("customers.open") !== null });
      if (!made.ok) return fail(await dealRefusal(ctx, made.error));
      audit({ subject: subjectOf(made.value.id), after: { ...factsOf(made.value), requestId: request } });
      return done(await cardView(ctx, made.value));
    },
  }),
  staffChange(contract.editDeal, {
    change: async (ctx, { params: { id }, body, audit }) =>
      changed(ctx, id, { audit }, () =>
        deals.edit(ctx, seenOf(id, body), { note: body.note, lines: body.lines.map(offeredLine), isLocked: body.lock }),
      ),
  }),
  staffChange(contract.lockDeal, {
    change: async (ctx, { params: { id }, body, audit }) =>
      changed(ctx, id, { audit }, () => deals.lock(ctx, seenOf(id, body), fromRoubles(body.sum))),
  }),
  staffChange(contract.renewDeal, {
    change: async (ctx, { params: { id }, body, audit }) =>
      changed(ctx, id, { audit }, () => deals.renew(ctx, seenOf(id, body), fromRoubles(body.sum))),
  }),
  staffChange(contract.cancelDeal, {
    change: async (ctx, { params: { id }, body, audit }) =>
      changed(ctx, id, { audit, more: { reason: body.reason } }, () => deals.cancel(ctx, seenOf(id, body), body.reason)),
  }),
  staffChange(contract.receiveDeal, {
    change: async (ctx, { params: { id }, body, audit }) => changed(ctx, id, { audit }, () => deals.receive(ctx, seenOf(id, body))),
  }),
  staffChange(contract.checkDeal, {
    change: async (ctx, { params: { id }, body, audit }) =>
      changed(ctx, id, { audit, more: { lines: body.lines, reason: body.reason } }, () =>
        deals.check(ctx, seenOf(id, body), { lines: body.lines.map(enteredLine), reason: body.reason }),
      ),
  }),
  staffChange(contract.returnDeal, {
    change: async (ctx, { params: { id }, body, audit }) =>
      changed(ctx, id, { audit, more: { reason: body.reason } }, () => deals.giveBack(ctx, seenOf(id, body), body.reason)),
  }),
  staffChange(contract.assignDeal, {
    change: async (ctx, { params: { id }, body, audit }) => {
      const { from, assignee } = body;
      const colleagues = assignee === null ? [] : await colleaguesWith(ctx, "buyback");
      if (assignee !== null && !colleagues.some(({ login }) => login === assignee))
        return fail({ code: "request.invalid", fields: { assignee: "Этот сотрудник не занимается выкупом" } });
      return changed(ctx, id, { audit }, () => deals.assign(ctx, { id, from }, assignee));
    },
  }),
  staffChange(contract.openDealContacts, {
    change: async (ctx, { params: { id }, body: { take }, staff, may, audit }) => {
      const opened = await deals.openContacts(ctx, id, {
        login: staff.login,
        take: take && may("buyback") !== null,
        mayOpenAll: may("customers.open") !== null,
      });
      if (!opened.ok) return fail(await dealRefusal(ctx, opened.error));
      const deal = opened.value;
      audit({ subject: subjectOf(id), after: { state: deal.state, assignee: deal.assignee } });
      return done({ phone: deal.phone, email: deal.email, deal: await cardView(ctx, deal) });
    },
  }),

  staffChange(contract.saveIdentity, {
    change: async (ctx, { params: { id }, body, audit }) => {
      const { birthDate, issuedOn } = body;
      const future = futureDays(ctx, { birthDate, issuedOn });
      if (future) return future;
      return changed(ctx, id, { audit }, () => payouts.saveIdentity(ctx, seenOf(id, body), identityOf(body)));
    },
  }),
  staffChange(contract.openIdentity, {
    change: async (ctx, { params: { id }, staff, may, audit }) => {
      const deal = await deals.find(ctx, id);
      if (!deal) return notFound;
      if (!mayOpenSeller(deal, staff.login, may)) return forbidden;
      const identity = await payouts.openIdentity(ctx, id);
      if (!identity) return notFound;
      audit({ subject: subjectOf(id) });
      return done(identity);
    },
  }),
  staffChange(contract.printContract, {
    change: async (ctx, { params: { id }, staff, may, audit }) => {
      const deal = await deals.find(ctx, id);
      if (!deal) return notFound;
      if (!mayOpenSeller(deal, staff.login, may)) return forbidden;
      if (deal.checkedSum === null || deal.state === "returned") return fail({ code: "buyback.wrong_state" });
      const identity = await payouts.openIdentity(ctx, id);
      if (!identity) return fail({ code: "buyback.no_identity" });
      const ids = deal.lines.map(({ coinId }) => coinId);
      const coins = new Map((await catalog.coinsByIds(ctx.db, ids)).map((coin) => [coin.id, coin]));
      const parties = { buyer: ctx.settings.seller, identity, account: await payouts.openAccount(ctx, id) };
      const bytes = await contractPdf(deal, coins, parties, ctx.now());
      audit({ subject: subjectOf(id), after: { state: deal.state } });
      return done({ type: "application/pdf", name: `Договор выкупа ${id}.pdf`, bytes, isInline: true });
    },
  }),

  staffChange(contract.payDeal, {
    check: async (ctx, { params: { id }, body }) => {
      if (!isAccount(body.account, body.bik.slice(-3)))
        return fail({ code: "request.invalid", fields: { account: "Контрольная цифра счёта не сходится с БИК" } });
      const future = futureDays(ctx, { date: body.date });
      if (future) return future;
      const checked = await payouts.checkPayout(ctx, seenOf(id, body), payoutOf(body));
      return checked.ok ? checked : fail(await dealRefusal(ctx, checked.error));
    },
    approval: async (ctx, { params: { id } }) => {
      const deal = await deals.find(ctx, id);
      if (!deal) return null;
      await payouts.lockSeller(ctx, deal);
      return payouts.approvalReason(ctx, deal);
    },
    shown: async (_, { params: { id }, body: { sum, account, bik, number, date } }) => ({
      before: {},
      after: { deal: id, payout: priceText(fromRoubles(sum)), account, bik, number, date },
    }),
    change: async (ctx, { params: { id }, body, audit }) => {
      const { number, date } = body;
      return changed(ctx, id, { audit, more: { number, date } }, () => payouts.pay(ctx, seenOf(id, body), payoutOf(body)));
    },
  }),
  staffChange(contract.recordDealReceipt, {
    change: async (ctx, { params: { id }, body, audit }) => {
      const { revision: _, ...numbers } = body;
      return changed(ctx, id, { audit }, () => payouts.recordReceipt(ctx, seenOf(id, body), numbers));
    },
  }),
  staffChange(contract.shelveDeal, {
    change: async (ctx, { params: { id }, body, audit }) => changed(ctx, id, { audit }, () => shelve(ctx, seenOf(id, body))),
  }),
];
