import * as contract from "#contract/public/checkout.ts";
import { done, fail, mapOk } from "#kit/result.ts";
import { parcelOf } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import * as checkout from "#shop/checkout/service.ts";
import * as delivery from "#shop/delivery/service.ts";
import { endpoint } from "../endpoint.ts";
import { deliveryGroupView, quoteView } from "../views.ts";

/** A request for a city's deliveries chooses that city: it is stored in a cookie. */
export const findDeliveries = endpoint(contract.findDeliveries, async (ctx, { owner, body, jar }) => {
  const [city, basket] = await Promise.all([delivery.city(ctx, body.code), cart.read(ctx, owner)]);
  if (!city) return fail({ code: "city.not_found" });
  const groups = await delivery.options(ctx, city, parcelOf(basket));
  jar.set("city", body.code);
  return done(groups.map(deliveryGroupView));
});

export const makeQuote = endpoint(contract.makeQuote, async (ctx, { owner, body }) =>
  mapOk(
    await checkout.quote(ctx, owner, {
      deliveryId: body.deliveryId,
      pointId: body.pvzId ?? null,
      cityCode: body.city,
      paymentId: body.paymentId,
    }),
    quoteView,
  ),
);
