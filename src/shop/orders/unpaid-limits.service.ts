import type { AtLast, Tx } from "#kit/db.ts";
import { times } from "#kit/money.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { normalisePhone } from "#shop/customers/customer.ts";
import * as stock from "#shop/stock/service.ts";
import type { OrderLine } from "./order.ts";
import * as rows from "./repository.ts";
import type { Recipient } from "./told.ts";
import { isOverForAddress, isOverForPerson, sameMailbox } from "./unpaid-limits.ts";

/** Whose unpaid orders count together: the same browser or account, phone or mailbox; and the same network address (IPv6: the /64). */
export type Buyer = { owner: OwnerKey; user: Recipient; clientAddress: string | null };

/**
 * What unpaid orders of one person and of one address may hold, judged for a new order in its transaction. The sums are read under locks,
 * so that parallel orders wait for each other. Must be called before the coins are reserved: the locks come before stock rows.
 */
export function claim(tx: Tx, ctx: Ctx, buyer: Buyer, lines: readonly OrderLine[]) {
  const person = isOn(ctx, personLimits) ? personKeys(ctx, buyer) : [];
  const origin = buyer.clientAddress === null ? null : keyOf(ctx, "address", buyer.clientAddress);
  const address = isOn(ctx, addressLimits) && origin !== null ? [origin] : [];
  const keys = [...person, ...address];
  const isTooMuch = keys.length === 0 ? Promise.resolve(false) : judge();
  isTooMuch.catch(() => {}); // a fault of the transaction is met by the statements after it

  async function judge(): Promise<boolean> {
    const wanted = lines.map((line) => ({ coinId: line.coinId, pieces: line.quantity, value: times(line.price, line.quantity) }));
    const [held, onHand] = await Promise.all([
      rows.lockHeld(tx, keys),
      address.length === 0
        ? new Map<number, number>()
        : stock.onHand(
            tx,
            lines.map((line) => line.coinId),
          ),
    ]);
    const under = (key: string) => held.filter((each) => each.key === key);
    return (
      person.some((key) => isOverForPerson(under(key), wanted, ctx.settings.limits)) ||
      address.some((key) => isOverForAddress(under(key), wanted, onHand, ctx.settings.limits))
    );
  }

  return {
    /** The hashed network address; null when it is not known. */
    origin,
    /** Whether these lines are too much on top of what is held. */
    isTooMuch,
    /** The order counts from now on until it is paid or closed. */
    record(atLast: AtLast, orderId: string): void {
      if (keys.length > 0) void atLast(rows.addUnpaidKeys(tx, orderId, keys, ctx.now()));
    },
  };
}

/**
 * How many unpaid orders a buyer has, for the limit of them. Orders that the buyer called off a moment ago count too once there are many of
 * them: each of them wrote letters and held coins.
 */
export async function countUnpaid(tx: Tx, ctx: Ctx, owner: OwnerKey): Promise<number> {
  const { cancelledOrders, cancelledOrderMinutes } = ctx.settings.limits;
  const { unpaid, calledOff } = await rows.countUnpaid(tx, owner, plus(ctx.now(), -minutes(cancelledOrderMinutes)));
  return unpaid + Math.max(0, calledOff - cancelledOrders);
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
