import type { Db } from "#kit/db.ts";
import type { Log } from "#kit/log.ts";
import type { Enqueue } from "#kit/queue.ts";
import type { Secrets } from "#kit/secrets.ts";
import type { Actor } from "./actor.ts";
import type { DeliveryGateway } from "./delivery/gateway.ts";
import type { EmailGateway, SmsGateway } from "./notifications/gateway.ts";
import type { PaymentGateway } from "./payment/gateway.ts";
import type { RatesGateway } from "./rates/gateway.ts";
import type { ShopSettings } from "./settings.ts";

/**
 * What every service is handed, first argument always. Modules keep no state of their own:
 * what a process may remember hangs on `held`, so that two servers in one process never share it by accident.
 */
export type Ctx = {
  db: Db;
  /** Who causes what is written with this context. */
  actor: Actor;
  /** The shop's only clock. */
  now: () => Date;
  enqueue: Enqueue;
  log: Log;
  /** Counts a thing that somebody must look at; each name has its action in docs/runbook.md. */
  alarm: (name: AlarmName, fields?: Record<string, string | number>) => void;
  gateways: { sms: SmsGateway; email: EmailGateway; payment: PaymentGateway; delivery: DeliveryGateway; rates: RatesGateway };
  settings: ShopSettings;
  /** Signatures of codes, links and cookies; the keys never leave the server. */
  secrets: Secrets<SecretPurpose>;
  isDemo: boolean;
  singleton: Singleton;
};

/** What is signed. A purpose's own key is the variable named like it, `order-key` → `ORDER_KEY_SECRET`; see docs/decisions/0042. */
export const secretPurposes = [
  "order-key",
  "alert",
  "newsletter",
  "sign-in-code",
  "sign-in-puzzle",
  "limits",
  "carrier-webhook",
  "form-stamp",
  "browser",
] as const;
export type SecretPurpose = (typeof secretPurposes)[number];

export type AlarmName =
  | "rates.refused"
  | "rates.stale"
  | "payment.mismatch"
  | "payment.forged"
  | "payment.second_money"
  | "payment.late_money"
  | "payment.refund_failed"
  | "payment.refund_stuck"
  | "payment.receipt_failed"
  | "payment.refused"
  | "payment.refund_by_hand"
  | "payment.difference"
  | "sms.budget_half"
  | "sms.budget_most"
  | "sms.budget_spent"
  | "sms.low_use"
  | "delivery.failed"
  | "delivery.recall_refused"
  | "delivery.return_late"
  | "order.return_unsettled"
  | "order.pieces_kept"
  | "mail.failed"
  | "ledger.broken";

/** A per-process memory: one value per key, made at the first ask. */
export type Singleton = <T>(key: string, make: () => T) => T;

export function createSingletons(): Singleton {
  const values = new Map<string, unknown>();
  return <T>(key: string, make: () => T): T => {
    if (!values.has(key)) values.set(key, make());
    return values.get(key) as T;
  };
}

/** Whose cart, wishlist, quote or guest order it is: a customer, or a browser by the hash of its `uid` cookie. */
export type OwnerKey = `customer:${string}` | `visitor:${string}`;

/** Who asks, resolved once per request from cookies; `owner` is the customer when signed in, else the browser, else nobody yet. */
export type Visitor = {
  owner: OwnerKey | null;
  browser: OwnerKey | null;
  customerId: string | null;
  /** Hash of the session's id, to mark the present device in a list. */
  sidHash: string | null;
  /** When the present session began, which took a code from an SMS: what is asked for soon after is asked for by the phone's owner. */
  signedInAt: Date | null;
  deviceHash: string | null;
  /** Client address after trusted proxies; for limits only, never stored in clear. */
  address: string;
  userAgent: string;
};
