import * as contract from "#contract/public/me.ts";
import { done, fail, type Result } from "#kit/result.ts";
import * as account from "#shop/account/service.ts";
import type { Ctx, Visitor } from "#shop/context.ts";
import type { Customer } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import { fromStored } from "#shop/customers/stored-profile.ts";
import { endpoint } from "../endpoint.ts";
import { renewBrowserId } from "../request/session.ts";
import { exportView, profileView } from "../views.ts";

export const readMe = endpoint(contract.readMe, async (ctx, { visitor }) => {
  const customer = visitor.customerId ? await customers.byId(ctx, visitor.customerId) : null;
  return done(customer && (await viewOf(ctx, customer)));
});

export const completeMe = endpoint(contract.completeMe, async (ctx, { visitor, body }) =>
  viewed(ctx, await account.completeProfile(ctx, signedIn(visitor), body)),
);

export const changeMe = endpoint(contract.changeMe, async (ctx, { visitor, body }) => {
  const { name, last_name: lastName, second_name: secondName, email, buyprofile } = body;
  const patch = { name, lastName, secondName, email, buyProfile: buyprofile && fromStored(buyprofile) };
  const named = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const who = signedIn(visitor);
  const changed = await account.changeProfile(ctx, who, named);
  if (changed.ok && body.newsletter !== undefined) await customers.setNewsletter(ctx, who.customerId, body.newsletter);
  return viewed(ctx, changed);
});

export const exportMe = endpoint(contract.exportMe, async (ctx, { visitor, header }) => {
  const everything = await account.exportData(ctx, signedIn(visitor).customerId);
  if (!everything) return fail({ code: "auth.required" as const });
  header("content-disposition", 'attachment; filename="chekan-my-data.json"');
  return done(exportView(everything, ctx.now()));
});

/** The session is deleted with the account; its cookie and the browser's id are removed too. */
export const eraseMe = endpoint(contract.eraseMe, async (ctx, { visitor, jar }) => {
  const erased = await account.erase(ctx, signedIn(visitor));
  if (!erased.ok) return erased;
  jar.clear("sid");
  renewBrowserId(ctx, jar);
  return erased;
});

const viewOf = async (ctx: Ctx, customer: Customer) => profileView(customer, (await customers.newsletter(ctx, customer.id)) !== null);
const viewed = async <E extends { code: string }>(ctx: Ctx, changed: Result<Customer, E>) =>
  changed.ok ? done(await viewOf(ctx, changed.value)) : changed;

/** Calls for customers are refused with 401 before the handler. */
function signedIn({ customerId, signedInAt }: Visitor): { customerId: string; signedInAt: Date | null } {
  if (customerId === null) throw new Error("a call for customers was reached without sign-in");
  return { customerId, signedInAt };
}
