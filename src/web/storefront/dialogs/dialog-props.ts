import type { ComponentType } from "react";
import type { Kopecks } from "#kit/money.ts";
import type { LockedQuote } from "../checkout/lock/locked-quote.ts";
import type { FrameData } from "../frame/frame-data.ts";

export type SignInProps = {
  /** Called after the visitor has signed in and the dialog has closed. */
  onSignedIn?: () => void;
};

export type PaymentDialogProps = {
  orderId: string;
  orderNumber: number;
  orderKey: string | null;
  thanksHref: string;
  /** The provider's page, to be opened on the buyer's phone; null when the provider did not answer. */
  pageUrl: string | null;
};

export type PaymentPickupProps = { total: Kopecks; address: string; hours: readonly string[]; onConfirm: () => void };

export type UpdatePricesProps = {
  before: LockedQuote;
  after: LockedQuote;
  lifeSeconds: number;
  onAccept: () => void;
};

export type OrderErrorProps = {
  title: string;
  message: string;
  /** Coins with too little stock, and how many are available. */
  short?: { id: number; title: string; available: number }[];
  /** Orders what is available; absent when nothing is. */
  onTakeRest?: () => Promise<void>;
  /** The link of the dialog; the cart by default. */
  way?: { href: string; name: string };
  /** The order continues after this phone is confirmed by signing in; what was entered stays. */
  phoneToConfirm?: string;
};

export type MenuProps = Pick<FrameData, "shop" | "sections" | "menu">;

export type OrderPaymentProps = {
  orderId: string;
  orderNumber: number;
  orderKey: string | null;
  total: Kopecks;
  methodId: number;
  /** Methods that can pay this sum online; `limit` is the most that one payment may be. */
  methods: { id: number; limit: Kopecks | null; isOver: boolean }[];
};

export type ConfirmPhoneProps = {
  /** The phone of the account. */
  phone: string;
  /** Why the confirmation is needed, as a sentence. */
  reason: string;
  /** Called after the code was right and the dialog has closed. */
  onConfirmed: () => void;
};

/** `sources` in order of preference. `story` describes the film in words: the films are silent. */
export type VideoProps = { title: string; sources: readonly { src: string; type: string }[]; poster: string; story: string };

/** The props of each dialog. */
export type DialogProps = {
  auth: SignInProps;
  payment: PaymentDialogProps;
  paymentPickup: PaymentPickupProps;
  updatePrices: UpdatePricesProps;
  orderError: OrderErrorProps;
  menu: MenuProps;
  orderPayment: OrderPaymentProps;
  confirmPhone: ConfirmPhoneProps;
  video: VideoProps;
  search: object;
};
export type DialogName = keyof DialogProps;

/** What every dialog receives besides its own props. */
export type OpenDialogProps = { isOpen: boolean; onClose: () => void };

/** Loads the code of a dialog. */
export type DialogChunks = { [N in DialogName]: () => Promise<{ default: ComponentType<DialogProps[N] & OpenDialogProps> }> };
