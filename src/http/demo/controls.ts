import type { Kopecks } from "#kit/money.ts";
import type { RateCode } from "#shop/rates/rate.ts";

export type DemoProvider = "sms" | "payment" | "delivery" | "rates";
type DemoFault =
  | "ok"
  | "slow"
  | "error"
  | "garbage"
  | "html"
  | "empty"
  | "shape"
  | "unauthorized"
  | "too_many"
  | "reset"
  | "timeout"
  | "frozen";
/** `html`: how a letter looks in a mail program; absent from SMS. */
export type DemoMessage = { at: Date; channel: "sms" | "email"; to: string; text: string; html?: string };
/** A payment as the simulator's own ledger has it; `orderId` is ours. */
type DemoPayment = { id: string; orderId: string | null; amount: Kopecks; refunded: Kopecks; status: string };

/** The simulators' handles, given by `main` in demo mode only. */
export type DemoControls = {
  /** What the SMS and mail simulators received, newest first; of one recipient when `to` is given. */
  outbox(to?: string): DemoMessage[] | Promise<DemoMessage[]>;
  /** Roubles per gram, roubles per dollar. Whether the shop's sanity rules would take them was asked before; false when the source moved on since and they are too far from where it stands. */
  setRates(rates: Partial<Record<RateCode, number>>): boolean | Promise<boolean>;
  setMarket(isOpen: boolean): void | Promise<void>;
  /** `frozen` is for rates: the exchange answers, and its own time stands still. */
  setFault(provider: DemoProvider, mode: DemoFault): void | Promise<void>;
  /** The parcel of this order comes to a place; false when the carrier has none of that number. */
  moveParcel(orderNumber: number, code: string, city: string): boolean | Promise<boolean>;
  payments(): DemoPayment[] | Promise<DemoPayment[]>;
};
