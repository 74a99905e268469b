import { expect, test } from "vitest";
import * as alarms from "./alarms.ts";
import * as approvals from "./approvals.ts";
import * as audit from "./audit.ts";
import * as calls from "./calls.ts";
import * as content from "./content.ts";
import * as categories from "./categories.ts";
import * as coins from "./coins.ts";
import * as media from "./media.ts";
import * as exchange from "./exchange.ts";
import * as money from "./money.ts";
import * as orders from "./orders.ts";
import * as packing from "./packing.ts";
import * as people from "./people.ts";
import * as pricePromos from "./price-promos.ts";
import * as prices from "./prices.ts";
import * as promoCodes from "./promo-codes.ts";
import * as rates from "./rates.ts";
import * as search from "./search.ts";
import * as customers from "./customers.ts";
import * as requests from "./requests.ts";
import * as reviews from "./reviews.ts";
import * as session from "./session.ts";
import * as settings from "./settings.ts";
import * as metal from "./metal.ts";
import * as reports from "./reports.ts";
import * as stock from "./stock.ts";
import * as waiting from "./waiting.ts";

test("every call of the back office's app is the entry of the contract with that name", () => {
  const entries: Record<string, unknown> = {
    ...alarms,
    ...approvals,
    ...audit,
    ...content,
    ...categories,
    ...coins,
    ...media,
    ...exchange,
    ...money,
    ...orders,
    ...packing,
    ...prices,
    ...pricePromos,
    ...promoCodes,
    ...search,
    ...rates,
    ...waiting,
    ...people,
    ...session,
    ...settings,
    ...reviews,
    ...requests,
    ...customers,
    ...stock,
    ...metal,
    ...reports,
  };
  const expected = Object.fromEntries(
    Object.keys(calls).map((name) => {
      const { method, path } = entries[name] as { method: string; path: string };
      return [name, `${method} ${path}`];
    }),
  );
  expect({ ...calls }).toEqual(expected);
});
