import * as contract from "#contract/locations.ts";
import { done, fail } from "#kit/result.ts";
import * as delivery from "#shop/delivery/service.ts";
import { endpoint } from "../endpoint.ts";
import { cityView, pointView } from "../views.ts";

export const findCities = endpoint(contract.findCities, async (ctx, { query }) => done((await delivery.cities(ctx, query.q)).map(cityView)));

export const findPoints = endpoint(contract.findPoints, async (ctx, { body }) => {
  if (!(await delivery.city(ctx, body.city))) return fail({ code: "city.not_found" });
  const points = await delivery.points(ctx, body.city, body.deliveryId);
  return done(Object.fromEntries(points.map((point) => [point.id, pointView(point, body.deliveryId)])));
});
