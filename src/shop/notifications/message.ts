import type { Kopecks } from "#kit/money.ts";

/** Kinds of messages to a buyer about an order. */
export const orderMessageKinds = [
  "order_placed",
  "order_part_paid",
  "order_paid",
  "money_surplus",
  "order_cancelled",
  "cancel_requested",
  "cancel_refused",
  "money_returned",
  "surplus_returned",
  "order_reminder",
  "order_shipped",
  "order_ready",
  "order_delivered",
  "order_returning",
  "order_returned",
] as const;
export type OrderMessageKind = (typeof orderMessageKinds)[number];

/** The first and the last day on which a parcel is expected. */
export type ExpectedDays = { first: Date; last: Date };

/** The order as its messages show it. */
export type MessageOrder = {
  id: string;
  /** The order number shown on the order's page. */
  number: number | string;
  /** Key that opens the order's page without sign-in; null links to the account instead. */
  guestKey: string | null;
  lines: readonly { title: string; quantity: number; sum: Kopecks }[];
  delivery: {
    /** Name of the delivery option, as shown at checkout. */
    name: string;
    /** Null while a manager has not set it. */
    price: Kopecks | null;
    /** City, point or street; may be empty. */
    place: string;
    /** Opening hours of a point or the office; empty when unknown. */
    workTime: string;
    trackingNumber: string | null;
    /** Number of the seal on the bag; null until the order is packed, and at the office. */
    sealNumber: string | null;
    /** Insured value of the parcel, kopecks; null without a carrier's insurance. */
    insuredValue: Kopecks | null;
    /** Expected arrival; null when unknown, and at the office. */
    arrival: ExpectedDays | null;
  };
  total: Kopecks;
  /** Until when payment is due; null when nothing has to be paid now. */
  payUntil: Date | null;
  /** Until when the coins are reserved for a buyer who pays on collection; null for every other order. */
  collectUntil: Date | null;
  /** Amount due at handover, kopecks; null when the order is paid. */
  dueOnCollection: Kopecks | null;
  /** What happens to the money of a returned order: nothing was paid, a full refund (cancelled order), or staff decides. */
  moneyOfReturn?: "none" | "refunded_in_full" | "refunded_by_staff";
};

/** Why an order was cancelled. */
export type CancelReason = "not_paid_in_time" | "not_collected_in_time" | "by_buyer" | "by_shop" | "on_request";

/**
 * Messages about an order. `about` identifies the subject, as `order:abc` or `refund:xyz`: each (about, kind, channel) is written once.
 * An empty e-mail or phone omits that channel. `origin`: hashed network address of the request that caused the message, for limits.
 * `amount`: money refunded, paid in part or overpaid; `missing`: the amount still due. `isByTransfer`: what was paid online went back by a
 * bank transfer.
 */
export type OrderMessage = {
  kind: OrderMessageKind;
  about: string;
  email: string;
  phone: string;
  order: MessageOrder;
  amount?: Kopecks;
  missing?: Kopecks;
  isByTransfer?: boolean;
  reason?: CancelReason;
  attachment?: `${AttachmentKind}:${string}`;
  origin?: string;
};

/** Kinds of attachments; `main/` passes a maker for each, which gets the id after the colon. */
export type AttachmentKind = "invoice";

export type MessageChannel = "sms" | "email";
export type OutgoingMessage = {
  id: number;
  channel: MessageChannel;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string | null;
  attachment: string | null;
  unsubscribe: string | null;
  createdAt: Date;
  /** Number of tries, including the current one. */
  tries: number;
  about: string;
  origin: string | null;
};

/** A message about an order, for staff. `state`: sent, in the queue or with its provider, given up, or suppressed by a limit. */
export type SentMessage = {
  id: number;
  channel: MessageChannel;
  kind: string;
  recipient: string;
  subject: string;
  createdAt: Date;
  sentAt: Date | null;
  state: "sent" | "waiting" | "failed" | "suppressed";
};

/** Decision of a limit about a message. `unsend` undoes the count when sending fails. */
export type SendingVerdict =
  | { kind: "send"; undoCount: () => Promise<void> }
  | { kind: "later"; at: Date }
  | { kind: "never"; because: string };

/** A visitor can cause these with another person's phone and mailbox: beyond a limit they are not sent. All others are only delayed. */
const suppressibleKinds: readonly string[] = ["order_placed", "order_cancelled"] satisfies OrderMessageKind[];
/** Whether a limit may suppress messages of this kind. */
export const isSuppressible = (kind: string): boolean => suppressibleKinds.includes(kind);

/** Whether a message of this kind is about an order. */
export const isAboutOrder = (kind: string): boolean => (orderMessageKinds as readonly string[]).includes(kind);

/** Minutes until the next try after the first, second, … failure; the last value repeats until `givenUpAfterHours`. */
const retryMinutes = [1, 2, 5, 15, 60] as const;
export const giveUpAfterHours = 24;

/** Milliseconds until the next try after `tries` tries. */
export const retryDelay = (tries: number): number => (retryMinutes[Math.min(tries, retryMinutes.length) - 1] ?? retryMinutes[0]) * 60_000;
