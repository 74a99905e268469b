import { expect, test } from "vitest";
import * as alarms from "./waiting/alarms.ts";
import * as approvals from "./access/approvals.ts";
import * as audit from "./access/audit.ts";
import * as buyback from "./buyback/buyback.ts";
import * as calls from "./calls.ts";
import * as content from "./site/content.ts";
import * as categories from "./coins/categories.ts";
import * as coins from "./coins/coins.ts";
import * as media from "./coins/media.ts";
import * as exchange from "./exchange.ts";
import * as money from "./money.ts";
import * as orders from "./orders/orders.ts";
import * as packing from "./orders/packing.ts";
import * as people from "./access/people.ts";
import * as pricePromos from "./prices/price-promos.ts";
import * as prices from "./prices/prices.ts";
import * as promoCodes from "./prices/promo-codes.ts";
import * as rates from "./prices/rates.ts";
import * as search from "./search.ts";
import * as customers from "./customers/customers.ts";
import * as requests from "./customers/requests.ts";
import * as reviews from "./customers/reviews.ts";
import * as session from "./access/session.ts";
import * as settings from "./site/settings.ts";
import * as metal from "./prices/metal.ts";
import * as reports from "./reports.ts";
import * as stock from "./stock.ts";
import * as waiting from "./waiting/waiting.ts";

test("every call of the back office's app is the entry of the contract with that name", () => {
  const entries: Record<string, unknown> = {
    ...alarms,
    ...approvals,
    ...audit,
    ...buyback,
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
