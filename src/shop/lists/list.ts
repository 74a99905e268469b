import type { Limits } from "#shop/settings.ts";

export type ListName = "wishlist" | "compare";
export type ListError = { code: "product.not_found" } | { code: "wishlist.full"; limit: number } | { code: "compare.full"; limit: number };

export const limitOf = (list: ListName, limits: Limits): number => (list === "wishlist" ? limits.wishlistItems : limits.compareItems);
