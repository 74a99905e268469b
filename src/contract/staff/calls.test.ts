import { expect, test } from "vitest";
import * as z from "zod";
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

test("every call of the back office's app is the entry of the contract with that name", () => {
  const expected = Object.fromEntries(
    Object.keys(calls).map((name) => {
      const { method, path } = entries[name] as { method: string; path: string };
      return [name, `${method} ${path}`];
    }),
  );
  expect({ ...calls }).toEqual(expected);
});

/** Numbers that no query compares: facts and prices of a coin have rules of their own, crops are checked against the picture. */
const ownRules = /[.](facts|prices|crop|roundTo)[.]/;
const largestInteger = 2 ** 31 - 1;

/** Places of a JSON schema with a whole number that an `integer` column may be unable to hold. */
function largeIntegers(schema: unknown, place: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, maximum } = schema as { type?: unknown; maximum?: number };
  if (type === "integer" && (maximum ?? Number.POSITIVE_INFINITY) > largestInteger) return [place];
  return Object.entries(schema).flatMap(([key, part]) => largeIntegers(part, `${place}.${key}`));
}

test("a whole number that a call takes is one that the database can compare, so a larger one is a wrong input and no fault", () => {
  const found = Object.entries(entries).flatMap(([name, entry]) =>
    ["params", "query", "body"].flatMap((part) => {
      const schema = (entry as Record<string, unknown>)[part];
      if (!(schema instanceof z.ZodType)) return [];
      return largeIntegers(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), `${name}.${part}`);
    }),
  );
  expect(found.filter((place) => !ownRules.test(`${place}.`))).toEqual([]);
});
