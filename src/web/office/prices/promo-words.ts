import type * as z from "zod";
import type * as pricePromos from "#contract/staff/prices/price-promos.ts";
import type * as promoCodes from "#contract/staff/prices/promo-codes.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { sum } from "../money/words.ts";
import { actorText, when } from "../staff/words.ts";
import { points, type Action } from "./words.ts";

export type PromoView = z.output<(typeof pricePromos.createPricePromo)["answer"]>;
export type PromoItemView = z.output<(typeof pricePromos.readPricePromo)["answer"]>["items"][number];
export type PromoCodeView = z.output<(typeof promoCodes.createPromoCode)["answer"]>;

/** What a promo may do: a lower premium or another fixed price. */
export const canBePromo = (action: Action): action is PromoView["action"] =>
  (action.field === "premium" && action.mode !== "spread") || action.field === "price";

/** The value of a `datetime-local` field, Moscow time → an instant; null: not filled in. */
export const momentOf = (typed: string): string | null =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(typed) ? isoMoscow(fromMoscow(typed.slice(0, 10), typed.slice(11, 16))) : null;

const promoStateTexts: Record<PromoView["state"], string> = {
  scheduled: "ждёт начала",
  running: "идёт",
  ended: "закончилась",
  refused: "не начата: нужен второй человек",
  cancelled: "отменена",
  missed: "не состоялась: магазин не работал",
};
export const promoStateText = ({ state, closedBy, endedAt }: PromoView): string =>
  state === "ended" && closedBy && endedAt ? `закончена раньше, ${when(endedAt)}, ${actorText(closedBy)}` : promoStateTexts[state];

/** «20 ноября, 10:00 — 27 ноября, 10:00» */
export const spanText = (startsAt: string, endsAt: string | null): string =>
  endsAt === null ? `с ${when(startsAt)}` : `${when(startsAt)} — ${when(endsAt)}`;

export const codeStateTexts: Record<PromoCodeView["state"], string> = {
  waiting: "ждёт начала",
  active: "действует",
  spent: "использован",
  ended: "закончился",
  stopped: "остановлен",
};

/** «−500 ₽», «−2,5 %» */
export const discountText = ({ percentBp, sum: amount }: Pick<PromoCodeView, "percentBp" | "sum">): string =>
  percentBp === null ? `−${sum(amount ?? 0)} ₽` : `−${points(percentBp)} %`;
export const usesText = ({ used, maxUses }: PromoCodeView): string => (maxUses === null ? sum(used) : `${sum(used)} из ${sum(maxUses)}`);
