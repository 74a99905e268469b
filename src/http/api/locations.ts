import * as contract from "#contract/public/locations.ts";
import { done, fail } from "#kit/result.ts";
import { parcelOf } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import * as delivery from "#shop/delivery/service.ts";
import { endpoint } from "../endpoint.ts";
import { cityView, pointView } from "../views.ts";

export const findCities = endpoint(contract.findCities, async (ctx, { query: { q, lat, lon } }) => {
  const found = lat === undefined || lon === undefined ? await delivery.cities(ctx, q) : await delivery.citiesNear(ctx, { lat, lon });
  return done(found.map(cityView));
});

/** Only points that accept the contents of the cart. */
export const findPoints = endpoint(contract.findPoints, async (ctx, { body, owner }) => {
  if (!(await delivery.city(ctx, body.city))) return fail({ code: "city.not_found" });
  const { weightGrams } = parcelOf(await cart.read(ctx, owner));
  const points = await delivery.points(ctx, body.city, body.deliveryId, { weightGrams });
  return done(Object.fromEntries(points.map((point) => [point.id, pointView(point, body.deliveryId)])));
});
