import type { Kopecks } from "#kit/money.ts";
import type { Qr } from "#kit/documents/qr.ts";
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
  /** Pieces refunded before shipping or returned, as texts. */
  gone: string[];
};

export type OrderPageView = {
  id: string;
  number: number;
  /** The key of a guest's link; null for a customer. */
  key: string | null;
  state: OrderState;
  createdAt: Date;
  /** Orders that staff made to add coins, or the one to which this one adds; they come together. */
  linked: { number: number; href: string }[];
  path: ProgressStep[];
  lines: OrderPageLine[];
  count: number;
  goods: Kopecks;
  /** The promo code in the prices of the lines. */
  promo: { code: string; discount: Kopecks } | null;
  total: Kopecks;
  paid: Kopecks;
  refunded: Kopecks;
  delivery: {
    id: number;
    name: string;
    price: Kopecks;
    city: string;
    /** The price could not be computed; a manager calls. */
    isPriceOpen: boolean;
    point: { address: string; workTime: string } | null;
    /** When it is expected, «24–25 ноября»; null once it has arrived or when it is not known. */
    arrival: string | null;
    /** Number of the seal on the bag, once the order is packed. */
    sealNumber: string | null;
    /** The insured value of the parcel; null at the office, with special contact, and after a cancellation. */
    insuredValue: Kopecks | null;
    /** Absent where it must not be shown. */
    address: string | null;
    /** What the courier should know; empty where it must not be shown. */
    courierNote: string;
  };
  /** Null until it is handed to the carrier. */
  parcel: ParcelView | null;
  payment: { methodId: number; status: PaymentStatus; paidAt: Date | null };
  recipient: { name: string; phone: string | null; email: string | null };
  /** Newest first. */
  events: { event: HistoryEntry["event"]; at: Date }[];
  /** What the printed order adds to the page: the seller, and the VAT included in the total. */
  paper: { seller: string; requisites: { name: string; value: string }[]; vat: { name: string; value: string | null }[] };
  canCancel: boolean;
  /** Until when the coins of an order paid on collection stay reserved; null for every other order. */
  collectUntil: Date | null;
  /** Null when the order is not paid by invoice. */
  invoice: {
    href: string;
    /** Null once it is paid. */
    toPay: { missing: Kopecks; received: Kopecks; qr: Qr; requisites: { name: string; value: string }[] } | null;
  } | null;
  /** Receipts by 54-FZ, oldest first; `late`: overdue, staff is looking into it. */
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
  /** Money on its way back, kopecks: unfinished refunds and the surplus of a transfer. */
  goingBack: Kopecks;
  /** Null when nothing is due. */
  pay: {
    isInvoice: boolean;
    canStart: boolean;
    /** No new attempt may be started; a payment that arrives still counts while the coins are reserved. */
    isLate: boolean;
    heldUntil: Date | null;
    methods: { id: number; limit: Kopecks | null; isOver: boolean }[];
  } | null;
};
