import type { Db } from "#kit/db.ts";
import type { Log } from "#kit/log.ts";
import type { Enqueue } from "#kit/concurrency/queue.ts";
import type { Secrets } from "#kit/security/secrets.ts";
import type { Actor } from "./actor.ts";
import type { DeliveryGateway } from "./delivery/gateway.ts";
import type { PictureReader } from "./media/gateway.ts";
import type { AccountingFormat } from "./exchange/accounting/gateway.ts";
import type { EmailGateway, SmsGateway } from "./notifications/gateway.ts";
import type { PaymentGateway } from "./payment/gateway.ts";
import type { RatesGateway } from "./rates/gateway.ts";
import type { ShopSettings } from "./settings.ts";
import type { StatementReader } from "./statements/gateway.ts";

/**
 * What every service receives as its first argument. Modules have no state of their own: what a process caches is a `singleton`
 * of its context, so that two servers in one process share nothing.
 */
export type Ctx = {
  db: Db;
  /** Who causes what is written with this context. */
  actor: Actor;
  /** The shop's only clock. */
  now: () => Date;
  enqueue: Enqueue;
  log: Log;
  /** Raises an alarm for staff; docs/runbook.md has an entry for each name. */
  alarm: (name: AlarmName, fields?: Record<string, string | number>) => void;
  gateways: {
    sms: SmsGateway;
    email: EmailGateway;
    payment: PaymentGateway;
    delivery: DeliveryGateway;
    rates: RatesGateway;
    bankStatements: StatementReader;
    pictures: PictureReader;
    accounting: AccountingFormat;
  };
  settings: ShopSettings;
  /** Signatures of codes, links and cookies; the keys never leave the server. */
  secrets: Secrets<SecretPurpose>;
  isDemo: boolean;
  /** The draft that this page request may show (shop/staff/preview-token.ts); absent for everything else. */
  preview?: PreviewSubject;
  singleton: Singleton;
};

/** What a page request may show before visitors can: `news:12`, `coin:431` (shop/staff/preview-token.ts). */
export type PreviewSubject = `${string}:${number}`;

/**
 * What is signed or encrypted. Each purpose can have its own key in the environment: `order-key` → `ORDER_KEY_SECRET`
 * (docs/decisions/0042).
 */
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
  "staff",
  "preview",
  "buyback",
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
  | "sms.balance_low"
  | "delivery.failed"
  | "delivery.unanswered"
  | "delivery.refused"
  | "delivery.recall_refused"
  | "delivery.return_late"
  | "delivery.labels_failed"
  | "order.return_unsettled"
  | "order.pieces_kept"
  | "order.change_kept"
  | "mail.failed"
  | "mail.suppressed"
  | "mail.account_refused"
  | "ledger.broken"
  | "settings.ignored"
  | "disk.filling"
  | "backup.unproven";

/** The per-process cache: returns the value of a key and makes it at the first call. */
export type Singleton = <T>(key: string, make: () => T) => T;

export function createSingletons(): Singleton {
  const values = new Map<string, unknown>();
  return <T>(key: string, make: () => T): T => {
    if (!values.has(key)) values.set(key, make());
    return values.get(key) as T;
  };
}

/** The owner of a cart, wishlist, quote or guest's order: a customer, or a browser by the hash of its `uid` cookie. */
export type OwnerKey = `customer:${string}` | `visitor:${string}`;

/** The sender of a request, resolved once from cookies. `owner` is the customer when signed in, else the browser, else null. */
export type Visitor = {
  owner: OwnerKey | null;
  browser: OwnerKey | null;
  customerId: string | null;
  /** Hash of the session's id; marks this device in the list of devices. */
  sidHash: string | null;
  /** When this session began with a code from an SMS. Actions soon after it may be trusted to come from the owner of the phone. */
  signedInAt: Date | null;
  deviceHash: string | null;
  /** Client address after trusted proxies; used for limits only, never stored in clear. */
  address: string;
  userAgent: string;
};
