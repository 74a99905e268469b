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
/** `html`: how a letter looks in a mail program; absent for SMS. */
export type DemoMessage = { at: Date; channel: "sms" | "email"; to: string; text: string; html?: string };
/** A payment in the simulator's ledger; `orderId` is the shop's. */
type DemoPayment = { id: string; orderId: string | null; amount: Kopecks; refunded: Kopecks; status: string };

/** Controls of the simulators, provided by `main` in demo mode only. */
export type DemoControls = {
  /** Messages that the SMS and mail simulators received, newest first; of one recipient if `to` is given. */
  outbox(to?: string): DemoMessage[] | Promise<DemoMessage[]>;
  /**
   * Roubles per gram, roubles per dollar; checked against the shop's sanity rules first. False if the source has changed since and the
   * values are too far from its own.
   */
  setRates(rates: Partial<Record<RateCode, number>>): boolean | Promise<boolean>;
  setMarket(isOpen: boolean): void | Promise<void>;
  /** `frozen` is for rates: the exchange answers, but its time does not advance. */
  setFault(provider: DemoProvider, mode: DemoFault): void | Promise<void>;
  /** Sets the status of this order's parcel; false if the carrier does not know the number. */
  moveParcel(orderNumber: number, code: string, city: string): boolean | Promise<boolean>;
  payments(): DemoPayment[] | Promise<DemoPayment[]>;
};
