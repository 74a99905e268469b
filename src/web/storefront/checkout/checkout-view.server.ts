import { deliveryTypeWords, type DeliveryGroupView } from "#contract/public/checkout.ts";
import type { CityView } from "#contract/public/locations.ts";
import { deliveryGroupTexts, deliveryNoteTexts, deliveryTexts } from "#contract/texts.ru.ts";
import { fromRoubles, toRoubles, zero } from "#kit/money.ts";
import { parcelOf } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import type { Ctx, Visitor } from "#shop/context.ts";
import { cityOf } from "#shop/customers/buy-profile.ts";
import * as customers from "#shop/customers/service.ts";
import { cityFullName, moscowCode, type City, type OptionGroup } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import { limitOf, paymentMethods, receiptLinesMax } from "#shop/payment/payment.ts";
import { cartView } from "../cart/cart-view.server.ts";
import { maskedPhone, phoneDigits } from "../../ui/fields/phone.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { moscow, emptyAddress } from "./draft.ts";

/** `cityCode` is the browser's last choice, if it made one. */
export async function checkoutView(ctx: Ctx, visitor: Visitor, cityCode: string | null): Promise<CheckoutView> {
  const { limits, shop } = ctx.settings;
  const [view, basket, chosen, bigCities, buyer] = await Promise.all([
    cartView(ctx, visitor.owner),
    cart.read(ctx, visitor.owner),
    cityCode ? delivery.city(ctx, cityCode) : delivery.city(ctx, moscowCode),
    delivery.cities(ctx, ""),
    buyerOf(ctx, visitor.customerId),
  ]);
  const city = chosen ? cityView(chosen) : moscow;
  return {
    cart: view,
    city,
    bigCities: bigCities.slice(0, 5).map(cityView),
    buyer,
    groups: basket.lines.length > 0 ? (await delivery.options(ctx, chosen ?? city.code, parcelOf(basket))).map(groupView) : [],
    limits: Object.fromEntries(paymentMethods.map((method) => [method.id, limitOf(method, limits)])),
    isValuable: view.total >= fromRoubles(limits.lockerPresetLimitRoubles),
    receiptLinesMax,
    office: { address: shop.address, hours: shop.hours },
    mapScriptUrl: ctx.settings.mapScriptUrl,
    quoteLifeSeconds: limits.quoteLifeSeconds,
    now: ctx.now().toISOString(),
  };
}

/** A profile that cannot be read leaves the fields empty and the page working. */
async function buyerOf(ctx: Ctx, customerId: string | null): Promise<CheckoutView["buyer"]> {
  if (!customerId) return null;
  try {
    const customer = await customers.byId(ctx, customerId);
    if (!customer) return null;
    const { name, lastName, secondName, email, phone, buyProfile } = customer;
    const city = cityOf(buyProfile);
    const { delivery, point } = buyProfile ?? {};
    return {
      id: customer.id,
      isSubscribed: (await customers.newsletter(ctx, customer.id)) !== null,
      user: { name, lastName, secondName, email, phone: maskedPhone(phoneDigits(phone)) },
      city: city
        ? {
            code: city.code,
            name: city.name,
            lastName: city.lastName ?? "",
            fullName: city.fullName ?? city.name,
            coords: city.coords ?? moscow.coords,
          }
        : null,
      deliveryId: Number(delivery?.deliveryId) || point?.deliveryId || null,
      point: point?.id ? { id: point.id, name: point.name ?? "", address: point.address ?? "" } : null,
      address: {
        ...emptyAddress,
        street: delivery?.street ?? "",
        house: delivery?.house ?? "",
        room: delivery?.flat ?? "",
        entrance: delivery?.entrance ?? "",
        floor: delivery?.floor ?? "",
        message: delivery?.comment ?? "",
      },
    };
  } catch (error) {
    ctx.log.warn({ event: "checkout.profile_not_loaded", error: error instanceof Error ? error.name : "unknown" });
    return null;
  }
}

const cityView = (city: City): CityView => ({
  code: city.code,
  name: city.name,
  lastName: city.region,
  fullName: cityFullName(city),
  coords: [city.lat, city.lon],
});

const groupView = ({ name, type, items }: OptionGroup): DeliveryGroupView => ({
  name: deliveryGroupTexts[name],
  type: deliveryTypeWords[type],
  items: items.map((item) => ({
    id: item.id,
    pvz: item.hasPoint,
    name: deliveryTexts[item.name],
    price: toRoubles(item.price ?? zero),
    minDays: item.minDays,
    maxDays: item.maxDays,
    note: deliveryNoteTexts[item.note],
  })),
});
