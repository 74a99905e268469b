import type { Kopecks } from "#kit/money.ts";
import type { Qr } from "#kit/qr.ts";
import type { HistoryEntry, OrderState } from "#shop/orders/order.ts";
import type { PaymentStatus } from "#shop/payment/payment.ts";
import type { ParcelView } from "./progress/parcel-view.ts";
import type { ProgressStep } from "./progress/order-progress.ts";

export type OrderPageLine = {
  id: number;
  slug: string;
  title: string;
  image: string;
  metal: "gold" | "silver";
  pureMassMg: number | null;
  quantity: number;
  price: Kopecks;
  sum: Kopecks;
  /** What of it was refunded before shipping or came back, in words. */
  gone: string[];
};

export type OrderPageView = {
  id: string;
  number: number;
  /** The key of a guest's link; null for a customer. */
  key: string | null;
  state: OrderState;
  createdAt: Date;
  path: ProgressStep[];
  lines: OrderPageLine[];
  count: number;
  goods: Kopecks;
  total: Kopecks;
  paid: Kopecks;
  refunded: Kopecks;
  delivery: {
    id: number;
    name: string;
    price: Kopecks;
    city: string;
    /** The price could not be named; a manager calls. */
    isPriceOpen: boolean;
    point: { address: string; workTime: string } | null;
    /** When it is expected, «24–25 ноября»; null once it is there, and where nobody can say. */
    arrival: string | null;
    /** Number of the seal on the bag, once the order is packed. */
    sealNumber: string | null;
    /** What the carrier insures the parcel for; null at the office, with special contact, and once the order is off. */
    insuredValue: Kopecks | null;
    /** Absent where it must not be shown. */
    address: string | null;
  };
  /** Null until it is at the carrier's. */
  parcel: ParcelView | null;
  payment: { methodId: number; status: PaymentStatus; paidAt: Date | null };
  recipient: { name: string; phone: string | null; email: string | null };
  /** Newest first. */
  events: { event: HistoryEntry["event"]; at: Date }[];
  /** What the order on paper names besides the page: who sells, and the VAT inside the total. */
  paper: { seller: string; requisites: { name: string; value: string }[]; vat: { name: string; value: string | null }[] };
  canCancel: boolean;
  /** Until when the coins of an order that is paid on collection wait for the buyer; null for every other order. */
  collectUntil: Date | null;
  /** Null when the order is not paid by invoice. */
  invoice: {
    href: string;
    /** Until it is paid. */
    toPay: { missing: Kopecks; came: Kopecks; qr: Qr; requisites: { name: string; value: string }[] } | null;
  } | null;
  /** Receipts by 54-FZ, oldest first; `late`: somebody is looking for it. */
  receipts: {
    id: string;
    kind: "payment" | "handover" | "refund";
    isPart: boolean;
    registrar: "provider" | "office";
    amount: Kopecks;
    at: Date;
    state: "done" | "awaited" | "late";
    fiscal: { document: string; storage: string; attribute: string } | null;
  }[];
  /** Money on its way back, kopecks: refunds that have not arrived, surplus of a transfer. */
  goingBack: Kopecks;
  /** Null when nothing is to be paid. */
  pay: {
    isInvoice: boolean;
    canStart: boolean;
    /** The time for new attempts is over; money that comes still counts while the coins are held. */
    isLate: boolean;
    heldUntil: Date | null;
    methods: { id: number; limit: Kopecks | null; isOver: boolean }[];
  } | null;
};
