import { expect, test } from "vitest";
import * as auth from "./auth.ts";
import * as browserFault from "./browser-fault.ts";
import * as calls from "./calls.ts";
import * as cart from "./cart.ts";
import * as catalog from "./catalog.ts";
import * as checkout from "./checkout.ts";
import * as lists from "./lists.ts";
import * as locations from "./locations.ts";
import * as me from "./me.ts";
import * as orders from "./orders.ts";
import * as rates from "./rates.ts";
import * as state from "./state.ts";

test("every call of the browser refers to the contract entry of that name", () => {
  const entries: Record<string, unknown> = {
    ...auth,
    ...browserFault,
    ...cart,
    ...catalog,
    ...checkout,
    ...lists,
    ...locations,
    ...me,
    ...orders,
    ...rates,
    ...state,
  };
  const expected = Object.fromEntries(
    Object.keys(calls).map((name) => {
      const { method, path } = entries[name] as { method: string; path: string };
      return [name, `${method} ${path}`];
    }),
  );
  expect({ ...calls }).toEqual(expected);
});
