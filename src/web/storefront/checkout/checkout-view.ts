import type { DeliveryGroupView } from "#contract/public/checkout.ts";
import type { CityView } from "#contract/public/locations.ts";
import type { Kopecks } from "#kit/money.ts";
import type { CartPageView } from "../cart/cart-view.ts";
import type { AddressDraft, BuyerDraft, ChosenPoint } from "./draft.ts";

/** The checkout's data from the server: the cart, the ways to the city that the browser last chose, and who is signed in. */
export type CheckoutView = {
  cart: CartPageView;
  city: CityView;
  groups: DeliveryGroupView[];
  bigCities: CityView[];
  /** The profile of the signed-in customer; missing parts are empty. */
  buyer: {
    id: string;
    user: BuyerDraft;
    city: CityView | null;
    deliveryId: number | null;
    point: ChosenPoint | null;
    address: AddressDraft;
    isSubscribed: boolean;
  } | null;
  limits: PaymentLimits;
  /** The order is so valuable that checkout begins with a staffed point or a courier instead of a locker. */
  isValuable: boolean;
  /** The most lines that the receipt of a payment online can hold. */
  receiptLinesMax: number;
  office: { address: string; hours: string[] };
  /** The script of the map of points; null: there is none. */
  mapScriptUrl: string | null;
  quoteLifeSeconds: number;
  now: string;
};

/** The most that one payment may be, by payment id; absent: no limit. */
export type PaymentLimits = Readonly<Record<number, Kopecks | null>>;
