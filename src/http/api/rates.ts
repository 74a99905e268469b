import * as contract from "#contract/public/rates.ts";
import { done, fail } from "#kit/result.ts";
import * as history from "#shop/rates/history.service.ts";
import * as rates from "#shop/rates/service.ts";
import { endpoint, cachedEndpoint } from "../endpoint.ts";
import { candleView, coursesView, workView } from "../views.ts";

/** Refuses while no rate has been accepted yet (the first seconds of a new shop). */
export const readCourses = cachedEndpoint(contract.readCourses, rates.basis, async (ctx) => {
  const shown = await rates.shown(ctx);
  return shown ? done(coursesView(shown)) : fail({ code: "service.unavailable" });
});

export const readWork = cachedEndpoint(contract.readWork, rates.basis, async (ctx) => done(workView(await rates.market(ctx))));

export const readHistory = endpoint(contract.readHistory, async (ctx, { query }) =>
  done((await history.history(ctx, query.code, query.range)).candles.map(candleView)),
);
