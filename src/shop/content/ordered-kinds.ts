import type { TextKind } from "./text-data.ts";

/**
 * Kinds whose list has an order of its own; news are sorted by day, pages and documents have fixed places. Without zod, for the browser.
 */
export const orderedKinds = ["training", "case", "promo", "faq"] as const satisfies readonly TextKind[];
