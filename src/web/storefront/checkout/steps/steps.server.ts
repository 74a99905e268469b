import { redirect } from "react-router";
import { problems, type ProblemCode } from "#contract/problems.ts";
import { cleanText } from "#kit/text/clean-text.ts";
import { add, subtract, zero, type Kopecks } from "#kit/money.ts";
import { parcelOf } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import * as entered from "#shop/checkout/entries/entries.service.ts";
import { maxEntryLength, noAddress, type CheckoutEntries } from "#shop/checkout/entries/entries.ts";
import * as checkout from "#shop/checkout/service.ts";
import type { Ctx, OwnerKey, Visitor } from "#shop/context.ts";
import { cityOf } from "#shop/customers/buy-profile.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import { deliveryById, moscowCode, type City, type DeliveryOption, type OptionGroup } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import type { PageContext } from "#web/context.server.ts";
import { clock } from "#kit/format.ts";
import { maskedPhone, phoneDigits } from "../../../ui/fields/phone.ts";
import { cartView } from "../../cart/cart-view.server.ts";
import type { CartPageView } from "../../cart/cart-view.ts";
import { paymentNames } from "../../shared/order-texts.ts";
import { placeText, textsOfDelivery } from "../delivery/delivery-texts.ts";
import { hasAddress, stepNames, stepPath, type StepName } from "./step-names.ts";
import { firstOpenStep, isReachable } from "./step-rules.server.ts";
import type { StepsFrameView } from "./steps-frame.tsx";

/** A request within the checkout without scripts: who buys, what is in the cart and what was entered so far. */
export type StepRequest = {
  ctx: Ctx;
  visitor: Visitor;
  owner: OwnerKey;
  cart: CartPageView;
  parcel: ReturnType<typeof parcelOf>;
  entries: CheckoutEntries;
};

/** For a loader: redirects from an empty cart, and from a step whose previous steps are unfinished. */
export async function openStep({ ctx, visitor }: PageContext, step: StepName): Promise<StepRequest> {
  const opened = await openAny({ ctx, visitor });
  if (!isReachable(step, opened.entries)) throw redirect(stepPath(firstOpenStep(opened.entries)), 303);
  return opened;
}

/** For an action: any step may be submitted again at any time. */
export async function openAny({ ctx, visitor }: Pick<PageContext, "ctx" | "visitor">): Promise<StepRequest> {
  const { owner } = visitor;
  if (!owner) throw redirect("/cart", 303);
  const [view, basket, stored, profile] = await Promise.all([
    cartView(ctx, owner),
    cart.read(ctx, owner),
    entered.readEntries(ctx, owner),
    profileEntries(ctx, visitor.customerId),
  ]);
  if (view.lines.length === 0) throw redirect("/cart", 303);
  return { ctx, visitor, owner, cart: view, parcel: parcelOf(basket), entries: { ...profile, ...stored } };
}

/** Entries completed from the profile of a signed-in customer; what was entered here takes precedence. */
async function profileEntries(ctx: Ctx, customerId: string | null): Promise<CheckoutEntries> {
  const customer = customerId ? await customers.byId(ctx, customerId) : null;
  if (!customer) return {};
  const { lastName, name, secondName, phone, email, buyProfile } = customer;
  const { street = "", house = "", flat = "", entrance = "", floor = "", comment = "" } = buyProfile?.delivery ?? {};
  const city = cityOf(buyProfile);
  return {
    buyer: { lastName, name, secondName, phone, email },
    ...(city ? { cityCode: city.code } : {}),
    address: { ...noAddress, street, house, room: flat, entrance, floor, message: comment },
  };
}

/** Stores the entries of a step and redirects (POST, redirect, GET), so that a reload submits nothing again. */
export async function saveAndGo({ ctx, owner }: StepRequest, patch: CheckoutEntries, to: string): Promise<Response> {
  await entered.saveEntries(ctx, owner, { refusal: null, ...patch });
  return redirect(to, 303);
}

/** The address of a refused step; the page lists its errors. */
export const withErrors = (step: StepName): string => `${stepPath(step)}?check=1#errors`;
/** Whether the page lists the mistakes of its step: the form was submitted. */
export const isChecked = (url: string): boolean => new URL(url).searchParams.has("check");

/**
 * Locks the prices for the entries and stores the quote. Returns the address to redirect to. A refusal is stored with the step where the
 * buyer can correct it, and shown there.
 */
export async function lockPrices(request: StepRequest, paymentId: number, { totalBefore = null }: { totalBefore?: Kopecks | null } = {}) {
  const { ctx, owner, entries } = request;
  const { deliveryId = 0, pointId = "", cityCode = "" } = entries;
  const made = await checkout.quote(ctx, owner, { deliveryId, pointId: pointId || null, cityCode, paymentId });
  if (made.ok) {
    const hasMoved = totalBefore !== null && totalBefore !== made.value.total;
    const patch = { paymentId, quoteId: made.value.id, totalBefore: hasMoved ? totalBefore : null };
    return saveAndGo(request, patch, stepPath("confirm"));
  }
  const { error } = made;
  if (error.code === "request.invalid") return saveAndGo(request, { paymentId, quoteId: null }, withErrors(stepOf(error.fields)));
  const refusal = { code: error.code, short: error.code === "cart.stock_short" ? error.short : [] };
  return saveAndGo(request, { paymentId, quoteId: null, refusal }, `${stepPath("payment")}#errors`);
}

function stepOf(fields: readonly string[]): StepName {
  if (fields.includes("deliveryId")) return "delivery";
  return fields.includes("pointId") ? "point" : "payment";
}

/** Reads the fields of a submitted form: trimmed, and cut to the longest value that a field accepts. */
export async function readForm(request: Request): Promise<(name: string) => string> {
  const form = await request.formData();
  return (name) => {
    const value = form.get(name);
    return typeof value === "string" ? cleanText(value).slice(0, maxEntryLength) : "";
  };
}

/** The whole number in a field, else null. */
export const numberIn = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

/** The chosen city, else the one of this browser's last choice, else Moscow. */
export async function cityNow(ctx: Ctx, entries: CheckoutEntries, cookies = ""): Promise<City> {
  const remembered = /(?:^|;\s*)city=(\d{10})(?:;|$)/.exec(cookies)?.[1];
  for (const code of [entries.cityCode, remembered, moscowCode]) {
    const found = code ? await delivery.city(ctx, code) : null;
    if (found) return found;
  }
  throw new Error("the table of cities lacks Moscow");
}

export const groupsOf = ({ ctx, parcel }: StepRequest, city: City): Promise<OptionGroup[]> => delivery.options(ctx, city, parcel);

/** The chosen way of delivery as it is offered now; null when it is no longer offered for the city or the cart. */
export const optionOf = (groups: readonly OptionGroup[], deliveryId: number | undefined): DeliveryOption | null =>
  groups.flatMap(({ items }) => items).find(({ id }) => id === deliveryId) ?? null;

export type RefusalView = { message: string; short: { title: string; available: number }[] } | null;

/** The message of the last refusal. */
export function refusalOf({ cart: { lines }, entries: { refusal } }: StepRequest): RefusalView {
  if (!refusal) return null;
  const problem = problems[refusal.code as ProblemCode] ?? problems["service.unavailable"];
  return {
    message: problem.message,
    short: refusal.short.map(({ id, available }) => ({ title: lines.find((line) => line.id === id)?.title ?? "", available })),
  };
}

/** The frame of every step: summaries of the finished steps, the coins and the total. */
export async function frameView(
  request: StepRequest,
  step: StepName,
  parts: { city?: City; option?: DeliveryOption | null; quote?: checkout.QuoteState | null } = {},
): Promise<StepsFrameView> {
  const { ctx, entries, cart: basket } = request;
  const { buyer, deliveryId, address, paymentId } = entries;
  const city = parts.city ?? (await cityNow(ctx, entries));
  const way = deliveryById(deliveryId ?? 0);
  const option = parts.option ?? (way ? optionOf(await groupsOf(request, city), way.id) : null);
  const point = await chosenPoint(request, city);
  const quote = parts.quote?.isLive ? parts.quote.quote : null;
  const locked = new Map(quote?.lines.map(({ coinId, price }) => [coinId, price]));
  const deliveryPrice = quote?.delivery.price ?? option?.price ?? zero;
  const isPricedByManager = (quote?.delivery.note ?? option?.note ?? "") !== "";
  const open = stepNames.indexOf(firstOpenStep(entries));
  const summary = (last: StepName, ...words: string[]) => (stepNames.indexOf(last) < open ? words.filter((each) => each !== "") : null);
  const where = point?.address ?? (address && hasAddress(deliveryId) ? placeText(address) : "");
  return {
    step,
    market: {
      market: basket.market,
      isStale: basket.isStale,
      isDead: basket.isDead,
      hasBullion: basket.lines.some((line) => line.isBullion),
    },
    summaries: {
      contacts: buyer ? summary("contacts", fullNameOf(buyer), maskedPhone(phoneDigits(buyer.phone)), buyer.email) : null,
      delivery: way ? summary("point", city.name, textsOfDelivery(way.name).name, where) : null,
      payment: paymentId ? summary("payment", paymentNames[paymentId] ?? "") : null,
    },
    refusal: refusalOf(request),
    lines: basket.lines.map(({ id, title, image, metal, quantity, price }) => ({
      id,
      title,
      image,
      metal,
      quantity,
      price: locked.get(id) ?? price,
    })),
    count: basket.count,
    delivery: way && (quote || option) ? { words: textsOfDelivery(way.name).pay, price: isPricedByManager ? null : deliveryPrice } : null,
    promo: quote ? quote.promo : basket.promo,
    goods: quote ? subtract(quote.total, quote.delivery.price) : basket.total,
    total: quote ? quote.total : add(basket.total, deliveryPrice),
    lock: quote
      ? {
          until: clock(quote.expiresAt),
          minutes: Math.max(1, Math.floor((quote.expiresAt.getTime() - ctx.now().getTime()) / 60_000)),
        }
      : null,
    lockMinutes: basket.lockMinutes,
  };
}

export async function chosenPoint({ ctx, entries, parcel }: StepRequest, city: City) {
  const { deliveryId, pointId } = entries;
  if (!deliveryId || !pointId || !deliveryById(deliveryId)?.hasPoint) return null;
  return delivery.point(ctx, city, deliveryId, pointId, parcel);
}
