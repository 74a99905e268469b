import { hoursLine, roublesAndKopecks, unbroken } from "#kit/format.ts";
import { add } from "#kit/money.ts";
import { qrOf } from "#kit/documents/qr.ts";
import { minutes, plus } from "#kit/time.ts";
import { coinImage, currentPicture } from "#shop/catalog/image.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { deliveryIds } from "#shop/method-ids.ts";
import { invoiceOf } from "#shop/orders/invoices/invoice.ts";
import { isCancellable, type Order, type StoredLine } from "#shop/orders/order.ts";
import { canBePaid, isOverLimit, limitOf, methodById, paymentMethods, receiptLineCount, receiptLinesMax } from "#shop/payment/payment.ts";
import * as orders from "#shop/orders/service.ts";
import * as payment from "#shop/payment/service.ts";
import { daysText, placeText } from "../../checkout/delivery/delivery-texts.ts";
import { documentsOf, printDetails } from "./documents/order-documents.server.ts";
import type { OrderPageView } from "./order-view.ts";
import { parcelView } from "./progress/parcel-view.ts";
import { orderProgress } from "./progress/order-progress.ts";

/** An order as its page shows it. A guest, who comes by the key in a link, sees where the parcel goes but no phone, e-mail or street. */
export async function orderPageView(ctx: Ctx, order: Order, guestKey: string | null): Promise<OrderPageView> {
  const coins = new Map(
    (
      await catalog.coinsByIds(
        ctx.db,
        order.lines.map((line) => line.coinId),
      )
    ).map((coin) => [coin.id, coin]),
  );
  const method = methodById(order.payment.methodId);
  const name = [order.user.lastName, order.user.name, order.user.secondName].filter(Boolean).join(" ");
  const { address } = order;
  return {
    id: order.id,
    number: order.number,
    key: guestKey,
    state: order.state,
    createdAt: order.createdAt,
    linked: await linkedView(ctx, order, guestKey),
    path: orderProgress({
      state: order.state,
      history: order.history,
      isCollected: order.delivery.id === deliveryIds.office,
      hasPoint: order.delivery.point !== null,
      isPaidFirst: method?.name !== "on_collection",
    }),
    lines: order.lines.map((line) => {
      const coin = coins.get(line.coinId);
      return {
        id: line.coinId,
        slug: line.slug,
        title: line.title,
        image: coinImage(currentPicture(line), "reverse", 160),
        metal: coin?.metal ?? "gold",
        pureMassMg: coin?.pureMassMg ?? null,
        quantity: line.quantity,
        price: line.price,
        sum: line.sum,
        gone: goneOf(line),
      };
    }),
    count: order.lines.reduce((count, line) => count + line.quantity, 0),
    goods: add(...order.lines.map((line) => line.sum)),
    promo: order.promo,
    total: order.total,
    paid: order.paid,
    refunded: order.refunded,
    delivery: {
      id: order.delivery.id,
      name: order.delivery.name,
      price: order.delivery.price,
      city: order.delivery.cityName,
      isPriceOpen: order.delivery.note === "price_by_manager",
      point:
        order.delivery.id === deliveryIds.office
          ? { address: ctx.settings.shop.address, workTime: hoursLine(ctx.settings.shop.hours) }
          : order.delivery.point && { address: order.delivery.point.address, workTime: unbroken(order.delivery.point.workTime) },
      arrival: arrivalOf(order),
      sealNumber: order.sealNumber,
      insuredValue: order.state === "cancelled" || order.state === "returned" ? null : order.delivery.insuredValue,
      address: guestKey || !address ? null : addressLine(address),
      courierNote: guestKey || !address ? "" : address.message,
    },
    parcel: order.delivery.parcel && parcelView(order.delivery.parcel),
    payment: { methodId: order.payment.methodId, status: order.payment.status, paidAt: order.payment.paidAt },
    recipient: { name, phone: guestKey ? null : order.user.phone, email: guestKey ? null : order.user.email },
    events: order.history.toReversed().map(({ event, at }) => ({ event, at })),
    paper: printDetails(ctx, order),
    canCancel: isCancellable(order.state),
    collectUntil: order.state === "placed" ? order.reservedUntil : null,
    invoice: invoiceView(ctx, order, guestKey),
    ...(await documentsOf(ctx, order)),
    pay: await payOf(ctx, order),
  };
}

const addressLine = (address: NonNullable<Order["address"]>): string => {
  const { city, entrance, floor } = address;
  return [city, placeText(address), entrance && `подъезд ${entrance}`, floor && `этаж ${floor}`].filter(Boolean).join(", ");
};

async function linkedView(ctx: Ctx, order: Order, guestKey: string | null): Promise<OrderPageView["linked"]> {
  if (guestKey === null && order.customerId === null) return [];
  const viewer = guestKey === null ? { customerId: order.customerId ?? "" } : { guestKey };
  return (await orders.linkedOrders(ctx, order, viewer)).map(({ id, number, key }) => ({
    number,
    href: key === null ? `/my/orders/${id}` : `/order/${id}?key=${encodeURIComponent(key)}`,
  }));
}

/** Days are counted from the payment; while the order is unpaid, from the moment it was placed. */
function arrivalOf({ state, delivery, payment: { paidAt }, createdAt }: Order): string | null {
  const isExpected = state === "awaiting_payment" || state === "paid" || state === "assembled" || state === "shipped";
  return isExpected && delivery.id !== deliveryIds.office ? daysText(paidAt ?? createdAt, delivery.minDays, delivery.maxDays) : null;
}
/** «возвращено 1 из 2» */
const goneOf = ({ quantity, dropped, returned }: StoredLine): string[] => [
  ...(dropped > 0 ? [`отменено ${dropped} из ${quantity}`] : []),
  ...(returned > 0 ? [`возвращено ${returned} из ${quantity}`] : []),
];

/** The URL of an order's file; a guest's has the key of the link. */
const fileHref = (order: Order, guestKey: string | null, file: string): string =>
  guestKey === null ? `/my/orders/${order.id}/${file}` : `/order/${order.id}/${file}?key=${encodeURIComponent(guestKey)}`;

function invoiceView(ctx: Ctx, order: Order, guestKey: string | null): OrderPageView["invoice"] {
  const invoice = invoiceOf(order, ctx.settings.seller);
  if (!invoice) return null;
  const { seller, purpose, missing, received, qrText } = invoice;
  const requisites = [
    ["Получатель", seller.name],
    ["ИНН", seller.inn],
    ["КПП", seller.kpp],
    ["Счёт", seller.account],
    ["Банк", seller.bank],
    ["БИК", seller.bic],
    ["Корр. счёт", seller.corrAccount],
    ["Назначение", purpose],
    ["Сумма", `${roublesAndKopecks(missing)} ₽`],
  ].flatMap(([name = "", value = ""]) => (value === "" ? [] : [{ name, value }]));
  return {
    href: fileHref(order, guestKey, "invoice.pdf"),
    toPay: qrText === null ? null : { missing, received, qr: qrOf(qrText), requisites },
  };
}

/** Whether and how an unpaid order can still be paid online, and until when its coins are reserved. */
async function payOf(ctx: Ctx, order: Order): Promise<OrderPageView["pay"]> {
  if (order.state !== "awaiting_payment") return null;
  const { limits } = ctx.settings;
  const online = paymentMethods.flatMap((method) =>
    method.isOnline
      ? [
          {
            id: method.id,
            name: method.name,
            limit: limitOf(method, limits),
            isOver:
              isOverLimit(method, order.total, limits) || receiptLineCount(order.lines.length, order.delivery.price) > receiptLinesMax,
          },
        ]
      : [],
  );
  const isInvoice = methodById(order.payment.methodId)?.name === "invoice";
  const newAttemptsUntil =
    isInvoice && order.reservedUntil ? order.reservedUntil : plus(order.createdAt, minutes(limits.paymentAttemptMinutes));
  const isOverForNew = ctx.now() > newAttemptsUntil;
  // Too late for a new attempt; one that was begun in time can still be paid.
  const open =
    isOverForNew && !isInvoice
      ? (await payment.ofOrder(ctx.db, order.id)).filter((each) => canBePaid(each, ctx.now())).map((each) => each.method)
      : [];
  const payable = open.length > 0 ? online.filter(({ name }) => open.includes(name)) : online;
  return {
    isInvoice,
    methods: payable.map(({ name: _name, ...method }) => method),
    canStart: !isInvoice && payable.some((method) => !method.isOver),
    isLate: isOverForNew && open.length === 0,
    heldUntil: order.reservedUntil,
  };
}
