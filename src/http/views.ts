import type { CartView } from "#contract/public/cart.ts";
import { deliveryTypeWords, type DeliveryGroupView, type QuoteView } from "#contract/public/checkout.ts";
import type { CityView, PointView } from "#contract/public/locations.ts";
import type { MyDataView, ProfileView } from "#contract/public/me.ts";
import type { ClaimableView, OrderView } from "#contract/public/orders.ts";
import type { CandleView, CoursesView, WorkView } from "#contract/public/rates.ts";
import { promoFaultText } from "#contract/public/promo-texts.ru.ts";
import { courseNames, deliveryGroupTexts, deliveryNoteTexts, deliveryTexts, marketNote, orderStatusTexts } from "#contract/texts.ru.ts";
import { maskEmail, maskPhone, maskText } from "#kit/text/mask.ts";
import { roublesOrNull, times, toRoubles, zero } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import type { AccountExport } from "#shop/account/service.ts";
import type { CheckoutEntries } from "#shop/checkout/entries/entries.ts";
import type { Cart } from "#shop/cart/cart.ts";
import { coinImage, currentPicture } from "#shop/catalog/image.ts";
import type { Quote } from "#shop/checkout/quote.ts";
import type { Customer } from "#shop/customers/customer.ts";
import { toStored } from "#shop/customers/stored-profile.ts";
import { cityFullName, deliveryById, type City, type OptionGroup, type PickupPoint } from "#shop/delivery/delivery.ts";
import type { Order, OrderPromo } from "#shop/orders/order.ts";
import type { ClaimableOrder } from "#shop/orders/service.ts";
import type { Candle } from "#shop/rates/candle.ts";
import type { ShownRate, ShownRateCode, ShownRates, Market } from "#shop/rates/rate.ts";

/** Shop to contract: kopecks become roubles, instants ISO 8601 in Moscow time, terms those of the contract. Only listed fields are sent. */

export const cartView = (cart: Cart): CartView => ({
  order: {
    coins: cart.lines.map((line) => ({
      id: line.coinId,
      count: line.quantity,
      price: roublesOrNull(line.price),
      sum: roublesOrNull(line.sum),
      available: line.available,
      inStock: line.hasStock,
    })),
    totalPrice: toRoubles(cart.total),
  },
  totalCoins: cart.count,
  ...(cart.promo
    ? {
        promo: {
          code: cart.promo.code,
          discount: toRoubles(cart.promo.discount),
          ...(cart.promo.fault ? { message: promoFaultText(cart.promo.fault, cart.promo.minSum) } : {}),
        },
      }
    : {}),
});

export const profileView = (customer: Customer, isSubscribed: boolean): ProfileView => ({
  name: customer.name,
  last_name: customer.lastName,
  second_name: customer.secondName,
  email: customer.email,
  phone: customer.phone,
  ...(customer.buyProfile ? { buyprofile: toStored(customer.buyProfile) } : {}),
  ...(isSubscribed ? { newsletter: true as const } : {}),
});

export const coursesView = (shown: ShownRates): CoursesView => ({
  time: isoMoscow(shown.time),
  courses: mapValues(shown.rates, ({ code, value, diff, direction }) => ({ name: courseNames[code], course: value, diff, direction })),
  ...(shown.stale ? { stale: true as const } : {}),
});

const mapValues = <T>(rates: Record<ShownRateCode, ShownRate>, view: (rate: ShownRate) => T): Record<ShownRateCode, T> => ({
  XAU_RUB: view(rates.XAU_RUB),
  XAU_USD: view(rates.XAU_USD),
  XAG_RUB: view(rates.XAG_RUB),
  XAG_USD: view(rates.XAG_USD),
  USD_RUB: view(rates.USD_RUB),
});

export const candleView = ({ at, openE4, highE4, lowE4, closeE4 }: Candle): CandleView => [
  isoMoscow(at),
  openE4 / 10_000,
  highE4 / 10_000,
  lowE4 / 10_000,
  closeE4 / 10_000,
];

export const workView = (market: Market): WorkView => ({
  work: market.isOpen,
  ...(market.until ? { until: isoMoscow(market.until) } : {}),
  ...(market.isOpen ? {} : { note: marketNote(market) ?? "" }),
});

export const cityView = (city: City): CityView => ({
  code: city.code,
  name: city.name,
  lastName: city.region,
  fullName: cityFullName(city),
  coords: [city.lat, city.lon],
});

/** `deliveryId`: the requested method; the same point serves the paid method and its free variant. */
export const pointView = (point: PickupPoint, deliveryId: number): PointView => ({
  id: point.id,
  dlvId: deliveryId,
  type: point.type === "POSTAMAT" ? "POSTAMAT" : "",
  name: point.name,
  address: point.address,
  coords: [point.lat, point.lon],
  workTime: point.workTime,
  phone: point.phone,
  note: point.note,
  cash: point.hasCash,
  card: point.hasCard,
  nearestMetro: point.nearestMetro,
});

export const deliveryGroupView = (group: OptionGroup): DeliveryGroupView => ({
  name: deliveryGroupTexts[group.name],
  type: deliveryTypeWords[group.type],
  items: group.items.map((option) => ({
    id: option.id,
    pvz: option.hasPoint,
    name: deliveryTexts[option.name],
    price: toRoubles(option.price ?? zero),
    minDays: option.minDays,
    maxDays: option.maxDays,
    note: deliveryNoteTexts[option.note],
  })),
});

export const quoteView = (quote: Quote): QuoteView => ({
  quoteId: quote.id,
  expiresAt: isoMoscow(quote.expiresAt),
  items: quote.lines.map((line) => ({
    id: line.coinId,
    title: line.title,
    count: line.quantity,
    price: toRoubles(line.price),
    sum: toRoubles(times(line.price, line.quantity)),
  })),
  delivery: { id: quote.delivery.id, price: toRoubles(quote.delivery.price) },
  ...promoView(quote.promo),
  total: toRoubles(quote.total),
});

/** A promo code that is in the prices of the items. */
export const promoView = (promo: OrderPromo | null) => (promo ? { promo: { code: promo.code, discount: toRoubles(promo.discount) } } : {});

function deliveryName({ delivery }: Order): string {
  const way = deliveryById(delivery.id);
  return way ? deliveryTexts[way.name] : delivery.name;
}

/** The entries with which an order changed its state. Others, of a refund or of returned pieces, name the unchanged state again. */
const reachedStates = (history: Order["history"]): Order["history"] =>
  history.filter(({ state }, index) => state !== history[index - 1]?.state);

/** The order for its owner. */
export const orderView = (order: Order): OrderView => ({
  id: order.id,
  number: order.number,
  createdAt: isoMoscow(order.createdAt),
  status: order.state,
  statusText: orderStatusTexts[order.state],
  items: order.lines.map((line) => ({
    id: line.coinId,
    slug: line.slug,
    title: line.title,
    image: coinImage(currentPicture(line), "reverse", 160),
    count: line.quantity,
    price: toRoubles(line.price),
    sum: toRoubles(line.sum),
    ...(line.dropped > 0 ? { dropped: line.dropped } : {}),
    ...(line.returned > 0 ? { returned: line.returned } : {}),
  })),
  delivery: {
    id: order.delivery.id,
    name: deliveryName(order),
    price: toRoubles(order.delivery.price),
    city: order.delivery.cityName,
    ...(order.delivery.point
      ? { point: { id: order.delivery.point.id, name: order.delivery.point.name, address: order.delivery.point.address } }
      : {}),
    ...(order.delivery.trackingNumber ? { tracking: order.delivery.trackingNumber } : {}),
    ...(order.sealNumber ? { seal: order.sealNumber } : {}),
    ...(order.delivery.insuredValue === null ? {} : { insured: toRoubles(order.delivery.insuredValue) }),
    ...(order.delivery.note === "price_by_manager" ? { note: deliveryNoteTexts.price_by_manager } : {}),
  },
  payment: {
    id: order.payment.methodId,
    status: order.payment.status,
    ...(order.payment.paidAt ? { paidAt: isoMoscow(order.payment.paidAt) } : {}),
    ...(order.state === "awaiting_payment" && order.reservedUntil ? { payUntil: isoMoscow(order.reservedUntil) } : {}),
  },
  user: { ...order.user },
  address: order.address ? { ...order.address } : null,
  ...promoView(order.promo),
  total: toRoubles(order.total),
  history: reachedStates(order.history).map(({ at, state }) => ({ at: isoMoscow(at), status: state })),
});

export const claimableView = ({ number, createdAt, state, pieces, total }: ClaimableOrder): ClaimableView => ({
  number,
  createdAt: isoMoscow(createdAt),
  status: state,
  statusText: orderStatusTexts[state],
  count: pieces,
  total: toRoubles(total),
});

/** The order for a holder of its link: phone, e-mail and address are masked. */
export function maskedOrderView(order: Order): OrderView {
  const view = orderView(order);
  return {
    ...view,
    user: { ...view.user, email: maskEmail(view.user.email), phone: maskPhone(view.user.phone) },
    address: view.address && {
      city: view.address.city,
      street: maskText(view.address.street),
      house: maskText(view.address.house),
      room: maskText(view.address.room),
      entrance: maskText(view.address.entrance),
      floor: maskText(view.address.floor),
      message: maskText(view.address.message),
    },
  };
}

/** All data of an account, in the formats of the other calls. */
export const exportView = (
  { customer, consents, orders, cart, wishlist, compare, alerts, devices, checkout }: AccountExport,
  now: Date,
): MyDataView => ({
  exportedAt: isoMoscow(now),
  profile: profileView(
    customer,
    consents.some(({ purpose, withdrawnAt }) => purpose === "newsletter" && withdrawnAt === null),
  ),
  registeredAt: isoMoscow(customer.createdAt),
  consents: consents.map(({ at, withdrawnAt, ...consent }) => ({
    ...consent,
    at: isoMoscow(at),
    ...(withdrawnAt ? { withdrawnAt: isoMoscow(withdrawnAt) } : {}),
  })),
  orders: orders.map(orderView),
  cart: cart.map(({ coinId, quantity }) => ({ id: coinId, count: quantity })),
  wishlist,
  compare,
  alerts: alerts.map(({ coinId, rateCode, rule, value, email, state, createdAt }) => ({
    productId: coinId,
    course: rateCode,
    rule,
    value: value === null ? null : value / (coinId === null ? 10_000 : 100),
    email,
    state,
    createdAt: isoMoscow(createdAt),
  })),
  devices: devices.map(({ userAgent, createdAt, lastSeenAt }) => ({
    userAgent,
    signedInAt: isoMoscow(createdAt),
    lastSeenAt: isoMoscow(lastSeenAt),
  })),
  ...(checkout && { checkout: checkoutView(checkout) }),
});

const checkoutView = ({ buyer, deliveryId, cityCode, pointId, address, paymentId }: CheckoutEntries): MyDataView["checkout"] => ({
  ...(buyer && { user: buyer }),
  ...(cityCode !== undefined && { cityCode }),
  ...(deliveryId !== undefined && { dlvId: deliveryId }),
  ...(pointId !== undefined && { pointId }),
  ...(address && { address }),
  ...(paymentId !== undefined && { paymentId }),
});
