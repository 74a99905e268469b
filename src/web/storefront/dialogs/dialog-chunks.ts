import type { DialogChunks } from "./dialog-props.ts";

/** Loads the code of each dialog. The frame registers this table: dialogs open each other, so `dialogs.tsx` imports none of them. */
export const dialogChunks: DialogChunks = {
  auth: () => import("../sign-in/sign-in-dialog.tsx"),
  payment: () => import("../checkout/payment/payment-dialog.tsx"),
  paymentPickup: () => import("../checkout/payment/payment-pickup-dialog.tsx"),
  updatePrices: () => import("../checkout/lock/update-prices-dialog.tsx"),
  video: () => import("../shared/video-dialog.tsx"),
  search: () => import("../catalog/search/search-dialog.tsx"),
  orderError: () => import("../checkout/confirm/order-error-dialog.tsx"),
  orderPayment: () => import("../my/order/order-payment-dialog.tsx"),
  confirmPhone: () => import("../sign-in/confirm-phone-dialog.tsx"),
  menu: () => import("../frame/header/menu-dialog.tsx"),
};
