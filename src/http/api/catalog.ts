import * as contract from "#contract/public/catalog.ts";
import { fieldMessages } from "#contract/fields.ts";
import { fromRoubles } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { ListingFilters } from "#shop/search/listing.ts";
import { noteMissedSearch } from "#shop/reports/searches/missed.service.ts";
import * as search from "#shop/search/service.ts";
import { cachedEndpoint } from "../endpoint.ts";
import { cardView, listingView, productView, searchView, suggestView } from "../catalog-views.ts";
import type { EdgeError } from "../request/refusals.ts";

export const readCatalog = cachedEndpoint(contract.readCatalog, search.basis, async (ctx, { query }) => {
  const filters = await knownFilters(ctx, query);
  return filters.ok ? done(listingView(await search.list(ctx, filters.value))) : filters;
});

export const readProduct = cachedEndpoint(contract.readProduct, search.basis, async (ctx, { params }) => {
  const product = await search.coinBySlug(ctx, params.slug);
  return product ? done(productView(product)) : fail({ code: "product.not_found" });
});

export const readCards = cachedEndpoint(contract.readCards, search.basis, async (ctx, { query }) =>
  done((await search.cards(ctx, query.ids)).map(cardView)),
);

export const searchCoins = cachedEndpoint(contract.searchCoins, search.basis, async (ctx, { query: { q, exact, page, ...query } }) => {
  const filters = await knownFilters(ctx, query);
  if (!filters.ok) return filters;
  const found = await search.find(ctx, { query: q, page: page ?? 1, exact: exact ?? false, filters: filters.value });
  if (found.total === 0) noteMissedSearch(ctx, q);
  return done(searchView(found));
});

export const suggest = cachedEndpoint(contract.suggest, search.basis, async (ctx, { query }) =>
  done(suggestView(await search.suggest(ctx, query.q))),
);

/** The schema checks filters with fixed values; the values of the others come from the catalogue and are checked here. */
async function knownFilters(ctx: Ctx, query: contract.ListingQuery): Promise<Result<ListingFilters, EdgeError>> {
  const { priceFrom, priceTo, ...rest } = query;
  const filters: ListingFilters = {
    ...rest,
    ...(priceFrom === undefined ? {} : { priceFrom: fromRoubles(priceFrom) }),
    ...(priceTo === undefined ? {} : { priceTo: fromRoubles(priceTo) }),
  };
  const unknown = await search.unknownFilters(ctx, filters);
  return unknown.length > 0
    ? fail({ code: "request.invalid", fields: Object.fromEntries(unknown.map((name) => [name, fieldMessages.wrong])) })
    : done(filters);
}
