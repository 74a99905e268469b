import { times } from "#kit/money.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { normalisePhone } from "#shop/customers/customer.ts";
import type { StockLevels } from "#shop/stock/stock.ts";
import type { OrderLine } from "../order.ts";
import * as rows from "../repository.ts";
import type { Recipient } from "../snapshot.ts";
import { isOverForAddress, isOverForPerson, sameMailbox } from "./unpaid-limits.ts";

/** Whose unpaid orders count together: the same browser or account, phone or mailbox; and the same network address (IPv6: the /64). */
export type Buyer = { owner: OwnerKey; user: Recipient; clientAddress: string | null };

/** Under which keys a buyer's unpaid orders count together; `origin` is the hashed network address, null when it is not known. */
export type BuyerKeys = { person: string[]; address: string[]; origin: string | null };

export function keysOf(ctx: Ctx, buyer: Buyer): BuyerKeys {
  const origin = buyer.clientAddress === null ? null : keyOf(ctx, "address", buyer.clientAddress);
  return {
    person: isOn(ctx, personLimits) ? personKeys(ctx, buyer) : [],
    address: isOn(ctx, addressLimits) && origin !== null ? [origin] : [],
    origin,
  };
}

/** Since when orders that the buyer called off count. */
export const calledOffSince = (ctx: Ctx): Date => plus(ctx.now(), -minutes(ctx.settings.limits.cancelledOrderMinutes));

/**
 * How many unpaid orders a buyer has, and whether these lines are too much on top of what unpaid orders of this person and this address hold.
 * The sums were read under locks of the keys (`lockForPlacing`), so that parallel orders wait for each other; those locks come before stock
 * rows. The keys are stored with the order, which counts under them until it is paid or closed.
 *
 * Orders that the buyer called off a moment ago count too once there are many of them: each of them wrote letters and held coins.
 */
export function judge(
  ctx: Ctx,
  { person, address }: BuyerKeys,
  { unpaid, calledOff, held }: rows.Unpaid,
  lines: readonly OrderLine[],
  levels: StockLevels,
): { count: number; isTooMuch: boolean } {
  const { limits } = ctx.settings;
  const wanted = lines.map((line) => ({ coinId: line.coinId, pieces: line.quantity, value: times(line.price, line.quantity) }));
  const onHand = new Map([...levels].map(([coinId, level]) => [coinId, level.onHand]));
  const under = (key: string) => held.filter((each) => each.key === key);
  const isTooMuch =
    person.some((key) => isOverForPerson(under(key), wanted, limits)) ||
    address.some((key) => isOverForAddress(under(key), wanted, onHand, limits));
  return { count: unpaid + Math.max(0, calledOff - limits.cancelledOrders), isTooMuch };
}

/** Keys of orders that were paid or closed; a day after they were made they serve nobody's question. */
export const forgetKeys = (ctx: Ctx): Promise<void> => rows.dropUnpaidKeys(ctx.db, plus(ctx.now(), -days(1)));

const personLimits = ["reservedPiecesPerPerson", "reservedRoublesPerPerson"] as const;
const addressLimits = ["reservedPiecesPerAddress", "reservedRoublesPerAddress", "addressSharePercent"] as const;
const isOn = (ctx: Ctx, names: readonly (keyof Ctx["settings"]["limits"])[]): boolean =>
  names.some((name) => ctx.settings.limits[name] > 0);

function personKeys(ctx: Ctx, { owner, user }: Buyer): string[] {
  return [
    keyOf(ctx, "owner", owner),
    keyOf(ctx, "phone", normalisePhone(user.phone) ?? user.phone),
    keyOf(ctx, "mailbox", sameMailbox(user.email)),
  ];
}

/** Hashed with the shop's secret: the rows say which orders belong together and not to whom. */
const keyOf = (ctx: Ctx, kind: string, text: string): string => `${kind}:${ctx.secrets.sign("limits", `unpaid order ${kind} ${text}`, 32)}`;
