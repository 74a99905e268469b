import { times } from "#kit/money.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { normalisePhone } from "#shop/customers/customer.ts";
import type { StockLevels } from "#shop/stock/stock.ts";
import type { OrderLine } from "../order.ts";
import * as rows from "./unpaid-limits.repository.ts";
import type { Recipient } from "../snapshot.ts";
import { isOverForAddress, isOverForPerson, normaliseMailbox } from "./unpaid-limits.ts";

/** By what unpaid orders are counted together: browser or account, phone, mailbox, and network address (IPv6: the /64). */
export type Buyer = { owner: OwnerKey; user: Recipient; clientAddress: string | null };

/** The keys under which a buyer's unpaid orders are counted together; `origin`: the hashed network address, null when unknown. */
export type BuyerKeys = { person: string[]; address: string[]; origin: string | null };

/** The keys of a buyer; those of limits that are off are left out. */
export function keysOf(ctx: Ctx, buyer: Buyer): BuyerKeys {
  const origin = buyer.clientAddress === null ? null : keyOf(ctx, "address", buyer.clientAddress);
  return {
    person: isOn(ctx, personLimits) ? personKeys(ctx, buyer) : [],
    address: isOn(ctx, addressLimits) && origin !== null ? [origin] : [],
    origin,
  };
}

/** The moment since which orders cancelled by the buyer are counted. */
export const cancelledSince = (ctx: Ctx): Date => plus(ctx.now(), -minutes(ctx.settings.limits.cancelledOrderMinutes));

/**
 * Counts a buyer's unpaid orders and checks whether these lines exceed what unpaid orders of this person and address may reserve. The sums
 * were read under locks of the keys (`lockForPlacingBatch`), which come before stock rows, so that parallel orders wait for each other. The
 * keys are stored with the order, which counts under them until it is paid or closed.
 *
 * Orders that the buyer has just cancelled count too above `cancelledOrders`: each of them sent letters and reserved coins.
 */
export function checkLimits(
  ctx: Ctx,
  { person, address }: BuyerKeys,
  { unpaid, cancelled, reserved }: rows.Unpaid,
  lines: readonly OrderLine[],
  levels: StockLevels,
): { count: number; isTooMuch: boolean } {
  const { limits } = ctx.settings;
  const wanted = lines.map((line) => ({ coinId: line.coinId, pieces: line.quantity, value: times(line.price, line.quantity) }));
  const onHand = new Map([...levels].map(([coinId, level]) => [coinId, level.onHand]));
  const under = (key: string) => reserved.filter((each) => each.key === key);
  const isTooMuch =
    person.some((key) => isOverForPerson(under(key), wanted, limits)) ||
    address.some((key) => isOverForAddress(under(key), wanted, onHand, limits));
  return { count: unpaid + Math.max(0, cancelled - limits.cancelledOrders), isTooMuch };
}

/** Deletes keys of paid or closed orders a day after they were made. For the sweep. */
export const deleteOldKeys = (ctx: Ctx): Promise<void> => rows.deleteUnpaidKeys(ctx.db, plus(ctx.now(), -days(1)));

const personLimits = ["reservedPiecesPerPerson", "reservedRoublesPerPerson"] as const;
const addressLimits = ["reservedPiecesPerAddress", "reservedRoublesPerAddress", "addressSharePercent"] as const;
const isOn = (ctx: Ctx, names: readonly (keyof Ctx["settings"]["limits"])[]): boolean =>
  names.some((name) => ctx.settings.limits[name] > 0);

function personKeys(ctx: Ctx, { owner, user }: Buyer): string[] {
  return [
    keyOf(ctx, "owner", owner),
    keyOf(ctx, "phone", normalisePhone(user.phone) ?? user.phone),
    keyOf(ctx, "mailbox", normaliseMailbox(user.email)),
  ];
}

/** Hashed with the shop's secret: the rows show which orders belong together, but not whose they are. */
const keyOf = (ctx: Ctx, kind: string, text: string): string => `${kind}:${ctx.secrets.sign("limits", `unpaid order ${kind} ${text}`, 32)}`;
