import * as contract from "#contract/staff/orders/orders.ts";
import { done } from "#kit/result.ts";
import { colleaguesWith } from "#shop/staff/people/colleagues.service.ts";
import { staffRead, type StaffEndpoint } from "../endpoint.ts";

/** The colleagues to whom orders can be assigned: the choice of «Ведёт» on the card and in the list. */
export const orderColleagueEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readOrderColleagues, async (ctx) => done(await colleaguesWith(ctx, "orders.edit"))),
];
