import * as contract from "#contract/me.ts";
import { done } from "#kit/result.ts";
import type { Visitor } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import { endpoint } from "../endpoint.ts";
import { profileView } from "../views.ts";

export const readMe = endpoint(contract.readMe, async (ctx, { visitor }) => {
  const customer = visitor.customerId ? await customers.byId(ctx, visitor.customerId) : null;
  return done(customer && profileView(customer));
});

export const completeMe = endpoint(contract.completeMe, async (ctx, { visitor, body }) =>
  done(profileView(await customers.completeProfile(ctx, signedIn(visitor), body))));

export const changeMe = endpoint(contract.changeMe, async (ctx, { visitor, body }) => {
  const { name, last_name: lastName, second_name: secondName, email, buyprofile: buyProfile } = body;
  const patch = { name, lastName, secondName, email, buyProfile };
  const named = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return done(profileView(await customers.update(ctx, signedIn(visitor), named)));
});

/** Calls for customers are refused with 401 before they get here. */
function signedIn(visitor: Visitor): string {
  if (visitor.customerId === null) throw new Error("a call for customers was reached without sign-in");
  return visitor.customerId;
}
