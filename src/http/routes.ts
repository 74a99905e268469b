import type { DemoControls } from "./demo/controls.ts";
import { demoEndpoints } from "./demo/demo.ts";
import type { Endpoint } from "./endpoint.ts";
import * as alerts from "./api/alerts.ts";
import * as auth from "./api/auth.ts";
import { reportFault } from "./api/browser-fault.ts";
import * as cart from "./api/cart.ts";
import * as catalog from "./api/catalog.ts";
import * as checkout from "./api/checkout.ts";
import * as inquiries from "./api/inquiries.ts";
import * as lists from "./api/lists.ts";
import * as locations from "./api/locations.ts";
import * as me from "./api/me.ts";
import * as orders from "./api/orders.ts";
import * as rates from "./api/rates.ts";
import * as state from "./api/state.ts";

/**
 * All calls on one screen; the contract has their methods and paths. The server also has webhooks of payment providers, carrier and mail
 * programs (webhooks/), `/healthz`, `/readyz`, `/metrics`, `/api/openapi.json`, `/api/docs`, pictures, assets, and pages.
 */
export const routes = (version: string): readonly Endpoint[] => [
  cart.readCart,
  cart.setQuantity,
  cart.removeLines,
  cart.clearCart,
  cart.enterPromo,
  cart.removePromo,
  lists.readWishlist,
  lists.addToWishlist,
  lists.removeFromWishlist,
  lists.clearWishlist,
  lists.readCompare,
  lists.addToCompare,
  lists.removeFromCompare,
  lists.clearCompare,
  me.readMe,
  me.completeMe,
  me.changeMe,
  me.exportMe,
  me.eraseMe,
  auth.getCode,
  auth.checkCode,
  auth.logout,
  locations.findCities,
  locations.findPoints,
  checkout.findDeliveries,
  checkout.makeQuote,
  orders.placeOrder,
  orders.readOrders,
  orders.readClaimable,
  orders.claimOrders,
  orders.readOrder,
  orders.payOrder,
  orders.cancelOrder,
  catalog.readCatalog,
  catalog.readProduct,
  catalog.readCards,
  catalog.searchCoins,
  catalog.suggest,
  rates.readCourses,
  rates.readHistory,
  rates.readWork,
  inquiries.postReview,
  inquiries.postBuyback,
  inquiries.postPartners,
  inquiries.postCallback,
  alerts.postAlert,
  alerts.endAlert,
  state.readState,
  state.readBuild(version),
  reportFault,
];

/** Only with controls, which `main` passes in demo mode. */
export const demoRoutes = (controls: DemoControls | undefined): readonly Endpoint[] => (controls ? demoEndpoints(controls) : []);
