import type { Kopecks } from "#kit/money.ts";

/** What the shop tells a buyer about an order. */
export const noticeKinds = [
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
export type NoticeKind = (typeof noticeKinds)[number];

/** The first and the last day on which a parcel is expected. */
export type ExpectedDays = { first: Date; last: Date };

/** The order as a letter tells it. */
export type NoticeOrder = {
  id: string;
  /** For people, as on the order's page. */
  number: number | string;
  /** Opens the order's page without signing in; null sends the reader to the account. */
  guestKey: string | null;
  lines: readonly { title: string; quantity: number; sum: Kopecks }[];
  delivery: {
    /** Name of the option, as it was told at checkout. */
    name: string;
    /** Null while nobody can name it: a manager will. */
    price: Kopecks | null;
    /** City, point or street; empty when there is nothing to add. */
    place: string;
    /** When a point or the office is open; empty when not known. */
    workTime: string;
    trackingNumber: string | null;
    /** Number of the seal on the bag; null until the order is packed, and at the office. */
    sealNumber: string | null;
    /** What the carrier insures the parcel for, kopecks; null where no carrier does. */
    insuredValue: Kopecks | null;
    /** When it is expected; null where nobody can say, and at the office. */
    arrival: ExpectedDays | null;
  };
  total: Kopecks;
  /** Why payment is still due and until when; null when nothing has to be paid now. */
  payUntil: Date | null;
  /** Until when the coins wait for a buyer who pays on collection; null for every other order. */
  collectUntil: Date | null;
  /** What is to be paid when the order is handed over, kopecks; null when it is paid. */
  dueOnCollection: Kopecks | null;
  /** What happens to the money of an order that comes back: nothing was paid, a cancelled one is refunded in full, staff decides about another. */
  moneyOfReturn?: "none" | "refunded_in_full" | "refunded_by_staff";
};

/** Why an order was cancelled. */
export type CancelReason = "not_paid_in_time" | "not_collected_in_time" | "by_buyer" | "by_shop" | "on_request";

/**
 * `about` names the thing that happened, as `order:abc` or `refund:xyz`: each (about, kind, channel) is written once.
 * An empty e-mail or phone leaves that channel out. `origin` is the hashed network address of the request that caused it, for limits. `amount` is the money returned, come in part or come too much; `missing` what is still owed.
 */
export type Notice = {
  kind: NoticeKind;
  about: string;
  email: string;
  phone: string;
  order: NoticeOrder;
  amount?: Kopecks;
  missing?: Kopecks;
  reason?: CancelReason;
  attachment?: `${AttachmentKind}:${string}`;
  origin?: string;
};

/** What may go along with a letter; whoever wires the shop says how each is made, by the id behind the colon. */
export type AttachmentKind = "invoice";

export type Channel = "sms" | "email";
export type OutgoingMessage = {
  id: number;
  channel: Channel;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string | null;
  attachment: string | null;
  unsubscribe: string | null;
  createdAt: Date;
  /** This one included. */
  tries: number;
  about: string;
  origin: string | null;
};

/** What a limit says to a message that is about to be sent: `unsend` gives back what was counted when it could not be sent after all. */
export type SendingVerdict =
  | { kind: "send"; unsend: () => Promise<void> }
  | { kind: "later"; at: Date }
  | { kind: "never"; because: string };

/** Anybody can cause these by naming somebody else's phone and mailbox: beyond a limit they are not sent. All others are only delayed. */
const suppressibleKinds: readonly string[] = ["order_placed", "order_cancelled"] satisfies NoticeKind[];
export const isSuppressible = (kind: string): boolean => suppressibleKinds.includes(kind);

/** Whether a message is about an order, as those that `Notice` describes. */
export const isAboutOrder = (kind: string): boolean => (noticeKinds as readonly string[]).includes(kind);

/** Minutes until the next try after the first, second, … failure; the last one repeats until `givenUpAfterHours`. */
const retryMinutes = [1, 2, 5, 15, 60] as const;
export const givenUpAfterHours = 24;

/** Milliseconds until the next try after so many tries. */
export const retryDelay = (tries: number): number => (retryMinutes[Math.min(tries, retryMinutes.length) - 1] ?? retryMinutes[0]) * 60_000;
