import type * as z from "zod";
import type * as contract from "#contract/staff/buyback/buyback.ts";
import { fromRoubles, roublesOrNull, toRoubles } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { maskContactsIn, maskEmail, maskPhone } from "#kit/text/mask.ts";
import {
  actsOf,
  currentSum,
  isExpired,
  isUnderControl,
  pricesByCondition,
  type Deal,
  type DealError,
  type DealWithLines,
  type EnteredLine,
  type LinePart,
  type OfferedLine,
} from "#shop/buyback/deal.ts";
import * as payouts from "#shop/buyback/payout.service.ts";
import * as deals from "#shop/buyback/service.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { coinConditions } from "#shop/inquiries/inquiry.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import type { StaffRefusal } from "../endpoint.ts";
import { coinView } from "../stock/stock-views.ts";
import { namedIn, nameOrNull } from "../names.ts";
import { isoOrNull } from "../views.ts";

type RowView = z.input<(typeof contract.readDeals)["answer"]>["items"][number];
export type CardView = z.input<(typeof contract.readDeal)["answer"]>;
type CoinView = z.input<(typeof contract.findDealCoins)["answer"]>[number];

export function rowView(deal: Deal, now: Date, named: Named): RowView {
  return {
    id: deal.id,
    state: deal.state,
    name: maskContactsIn(deal.name),
    maskedPhone: deal.phone === "" ? "" : maskPhone(deal.phone),
    pieces: deal.pieces,
    sum: toRoubles(currentSum(deal)),
    offerSum: toRoubles(deal.offerSum),
    lockedUntil: isoOrNull(deal.lockedUntil),
    isExpired: isExpired(deal, now),
    isFlagged: deal.isFlagged,
    needsReceipt: deal.payout !== null && deal.receipt === null,
    assignee: deal.assignee,
    assigneeName: nameOrNull(named, deal.assignee),
    createdAt: isoMoscow(deal.createdAt),
    changedAt: isoMoscow(deal.changedAt),
    revision: deal.revision,
  };
}

/** A coin with today's buyback price in each condition. */
export function pricedCoinView(coin: Coin, list: PriceList): CoinView {
  const prices = pricesByCondition(deals.buybackToday(coin, list));
  return {
    ...coinView(coin),
    pureMassMg: coin.pureMassMg,
    prices: Object.fromEntries(coinConditions.map((condition) => [condition, roublesOrNull(prices[condition])])) as CoinView["prices"],
  };
}

const partView = ({ quantity, condition, unitPrice }: LinePart) => ({ quantity, condition, unitPrice: toRoubles(unitPrice) });

/** The prices of a deal's coins: today's for an offer, those it was locked at for the check, because they were promised. */
async function listOf(ctx: Ctx, { state, priceListVersion }: Deal): Promise<PriceList> {
  const isPromised = (state === "received" || state === "checked") && priceListVersion !== null;
  return (isPromised ? await pricing.ofVersion(ctx, priceListVersion) : null) ?? (await pricing.current(ctx));
}

/** A deal with its coins, history, the sums of its seller, and what may be done with it. */
export async function cardView(ctx: Ctx, deal: DealWithLines): Promise<CardView> {
  const ids = deal.lines.map(({ coinId }) => coinId);
  const coins = new Map((await catalog.coinsByIds(ctx.db, ids)).map((coin) => [coin.id, coin]));
  const list = await listOf(ctx, deal);
  const paidInYear = await payouts.paidInYear(ctx, deal);
  const controlSum = fromRoubles(ctx.settings.limits.buybackControlRoubles);
  const history = await deals.history(ctx, deal.id);
  const named = await namedIn(ctx, [...history.map(({ actor }) => actor), deal.assignee]);
  const today = deal.state === "offered" || isExpired(deal, ctx.now()) ? await deals.sumToday(ctx, deal) : null;
  return {
    ...rowView(deal, ctx.now(), named),
    maskedEmail: deal.email === "" ? null : maskEmail(deal.email),
    note: deal.note,
    requestId: deal.requestId,
    lines: deal.lines.map(({ coinId, offered, checked }) => {
      const coin = coins.get(coinId);
      if (!coin) throw new Error(`coin ${coinId} is in a deal and not in the catalogue`);
      return {
        coin: pricedCoinView(coin, list),
        offered: offered && { ...partView(offered), isTyped: offered.isTyped },
        checked: checked && partView(checked),
      };
    }),
    acts: actsOf(deal, ctx.now()).filter((act) => (act !== "renew" && act !== "lock") || today !== null),
    today: today === null ? null : { sum: toRoubles(today) },
    checkReason: deal.checkReason,
    identity:
      deal.identity === null || paidInYear === null
        ? null
        : {
            enteredAt: isoMoscow(deal.identity.enteredAt),
            eraseAt: isoOrNull(deal.identity.eraseAt),
            paidInYear: toRoubles(paidInYear),
            controlSum: toRoubles(controlSum),
            isUnderControl: isUnderControl(paidInYear, currentSum(deal), controlSum),
          },
    payout: deal.payout && {
      sum: toRoubles(deal.payout.sum),
      maskedAccount: `•••• ${deal.payout.accountEnd}`,
      bik: deal.payout.bik,
      number: deal.payout.number,
      date: deal.payout.date,
      paidAt: isoMoscow(deal.payout.paidAt),
    },
    payoutApproval: deal.state === "checked" ? await payouts.approvalReason(ctx, deal) : null,
    receipt: deal.receipt,
    stockDocumentId: deal.stockDocumentId,
    history: history.map(({ at, actor, sum, ...entry }) => ({
      ...entry,
      at: isoMoscow(at),
      by: named(actor).name,
      sum: toRoubles(sum),
    })),
  };
}

type SentLine = { coin: number; quantity: number; condition: LinePart["condition"]; unitPrice: number };
/** A line of a check, with kopecks. */
export const enteredLine = ({ coin, quantity, condition, unitPrice }: SentLine): EnteredLine => ({
  coinId: coin,
  quantity,
  condition,
  unitPrice: fromRoubles(unitPrice),
});
/** A line of an offer, with kopecks. */
export const offeredLine = ({ isTyped, ...line }: SentLine & { isTyped: boolean }): OfferedLine => ({ ...enteredLine(line), isTyped });

/** A refusal of a deal as the contract has it. */
export async function dealRefusal(ctx: Ctx, error: DealError): Promise<StaffRefusal> {
  switch (error.code) {
    case "buyback.not_found":
    case "buyback.request_not_found":
      return { code: "staff.not_found" };
    case "buyback.not_own":
      return { code: "staff.forbidden" };
    case "buyback.stale":
      return { code: "staff.stale", data: { current: await cardView(ctx, error.current), revision: error.current.revision } };
    case "buyback.unknown_coins":
      return { code: "request.invalid", fields: { lines: `Таких монет нет: ${error.ids.join(", ")}` } };
    case "buyback.other_sum":
      return { code: error.code, data: { sum: toRoubles(error.sum) } };
    case "buyback.other_prices": {
      const list = await pricing.current(ctx);
      const coins = await catalog.coinsByIds(ctx.db, error.ids);
      return { code: error.code, data: { coins: coins.map((coin) => pricedCoinView(coin, list)) } };
    }
    case "buyback.receipt_known":
      return { code: "request.invalid", fields: { documentNumber: `Этот чек записан у сделки № ${error.dealId}` } };
    case "buyback.order_known":
      return { code: error.code, data: { dealId: error.dealId } };
    default:
      return { code: error.code };
  }
}
