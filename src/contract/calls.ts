import type * as auth from "./public/auth.ts";
import type * as browserFault from "./public/browser-fault.ts";
import type { Call } from "./call.ts";
import type * as cart from "./public/cart.ts";
import type * as catalog from "./public/catalog.ts";
import type * as checkout from "./public/checkout.ts";
import type * as lists from "./public/lists.ts";
import type * as locations from "./public/locations.ts";
import type * as me from "./public/me.ts";
import type * as orders from "./public/orders.ts";
import type * as rates from "./public/rates.ts";
import type * as state from "./public/state.ts";

declare const entry: unique symbol;

/** A call as the browser sees it: at run time its method and path, at compile time the contract entry (`calls.test.ts` compares both). */
export type CallRef<C extends Call = Call> = `${C["method"]} ${C["path"]}` & { readonly [entry]: C };
export type EntryOf<Ref extends CallRef> = Ref[typeof entry];

/**
 * The calls that pages make, `callApi(contract.placeOrder, { body })`. The entries with their schemas are too large for a browser: here
 * they are imported as types only. Calls that no page makes are not listed.
 */
export const getCode = "POST /api/auth/get-code" as CallRef<typeof auth.getCode>;
export const checkCode = "POST /api/auth/check-code" as CallRef<typeof auth.checkCode>;
export const logout = "POST /api/auth/logout" as CallRef<typeof auth.logout>;

export const readState = "GET /api/state" as CallRef<typeof state.readState>;
export const readBuild = "GET /api/build" as CallRef<typeof state.readBuild>;
export const reportFault = "POST /api/faults" as CallRef<typeof browserFault.reportFault>;

export const readCart = "GET /api/cart" as CallRef<typeof cart.readCart>;
export const setQuantity = "PATCH /api/cart/{id}" as CallRef<typeof cart.setQuantity>;

export const addToWishlist = "POST /api/wishlist/{id}" as CallRef<typeof lists.addToWishlist>;
export const removeFromWishlist = "DELETE /api/wishlist/{id}" as CallRef<typeof lists.removeFromWishlist>;
export const clearWishlist = "POST /api/wishlist/clear" as CallRef<typeof lists.clearWishlist>;
export const addToCompare = "POST /api/compare/{id}" as CallRef<typeof lists.addToCompare>;
export const removeFromCompare = "DELETE /api/compare/{id}" as CallRef<typeof lists.removeFromCompare>;
export const clearCompare = "POST /api/compare/clear" as CallRef<typeof lists.clearCompare>;

export const readCards = "GET /api/products" as CallRef<typeof catalog.readCards>;
export const suggest = "GET /api/search/suggest" as CallRef<typeof catalog.suggest>;

export const readCourses = "GET /api/courses" as CallRef<typeof rates.readCourses>;
export const readWork = "GET /api/work" as CallRef<typeof rates.readWork>;

export const findCities = "GET /api/locations/cities" as CallRef<typeof locations.findCities>;
export const findPoints = "POST /api/locations/get-pvz" as CallRef<typeof locations.findPoints>;
export const findDeliveries = "POST /api/checkout/deliveries" as CallRef<typeof checkout.findDeliveries>;
export const makeQuote = "POST /api/checkout/quote" as CallRef<typeof checkout.makeQuote>;

export const placeOrder = "POST /api/orders" as CallRef<typeof orders.placeOrder>;
export const readOrder = "GET /api/orders/{id}" as CallRef<typeof orders.readOrder>;
export const payOrder = "POST /api/orders/{id}/pay" as CallRef<typeof orders.payOrder>;
export const cancelOrder = "POST /api/orders/{id}/cancel" as CallRef<typeof orders.cancelOrder>;

export const completeMe = "POST /api/me" as CallRef<typeof me.completeMe>;
export const changeMe = "PATCH /api/me" as CallRef<typeof me.changeMe>;
