import type { ComponentType } from "react";
import type { Kopecks } from "#kit/money.ts";
import type { LockedQuote } from "../checkout/lock/locked-quote.ts";
import type { FrameData } from "../frame/frame-data.ts";

export type SignInProps = {
  /** Called once the visitor is signed in and the dialog has closed. */
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
  /** Coins that ran short, with how many there are. */
  short?: { id: number; title: string; available: number }[];
  /** Takes what there is and goes on; absent when nothing can be taken. */
  onTakeRest?: () => Promise<void>;
  /** Where the way out leads; the cart unless said otherwise. */
  way?: { href: string; name: string };
  /** The order goes on once this phone is confirmed by signing in; what was entered stays. */
  phoneToConfirm?: string;
};

export type MenuProps = Pick<FrameData, "shop" | "sections">;

export type OrderPaymentProps = {
  orderId: string;
  orderNumber: number;
  orderKey: string | null;
  total: Kopecks;
  methodId: number;
  /** Ways that can take this sum online; `limit` is the most one payment may be. */
  methods: { id: number; limit: Kopecks | null; isOver: boolean }[];
};

export type ConfirmPhoneProps = {
  /** The account's own phone. */
  phone: string;
  /** Why it is asked for, as a sentence. */
  reason: string;
  /** Called once the code was right and the dialog has closed. */
  onConfirmed: () => void;
};

/** `sources` in the order of preference. `story` tells in words what is seen, for whoever does not see it: the films are silent. */
export type VideoProps = { title: string; sources: readonly { src: string; type: string }[]; poster: string; story: string };

/** What each dialog is given when it opens. */
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

/** What each dialog gets besides its own props. */
export type OpenDialogProps = { isOpen: boolean; onClose: () => void };

/** Loads the code of a dialog. */
export type DialogChunks = { [N in DialogName]: () => Promise<{ default: ComponentType<DialogProps[N] & OpenDialogProps> }> };
