import type { DialogChunks } from "./dialog-props.ts";

/** Where the code of each dialog is. The frame registers it: dialogs open each other, so `dialogs.tsx` itself imports none of them. */
export const dialogChunks: DialogChunks = {
  auth: () => import("./sign-in/sign-in-dialog.tsx"),
  payment: () => import("./checkout/payment/payment-dialog.tsx"),
  paymentPickup: () => import("./checkout/payment/payment-pickup-dialog.tsx"),
  updatePrices: () => import("./checkout/lock/update-prices-dialog.tsx"),
  video: () => import("./video-dialog.tsx"),
  search: () => import("./catalog/search/search-dialog.tsx"),
  orderError: () => import("./checkout/confirm/order-error-dialog.tsx"),
  cabinetPayment: () => import("./my/cabinet-payment-dialog.tsx"),
  proof: () => import("./sign-in/proof-dialog.tsx"),
  menu: () => import("./frame/menu-dialog.tsx"),
};
