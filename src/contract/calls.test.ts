import { expect, test } from "vitest";
import * as auth from "./public/auth.ts";
import * as browserFault from "./public/browser-fault.ts";
import * as calls from "./calls.ts";
import * as cart from "./public/cart.ts";
import * as catalog from "./public/catalog.ts";
import * as checkout from "./public/checkout.ts";
import * as lists from "./public/lists.ts";
import * as locations from "./public/locations.ts";
import * as me from "./public/me.ts";
import * as orders from "./public/orders.ts";
import * as rates from "./public/rates.ts";
import * as state from "./public/state.ts";

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
