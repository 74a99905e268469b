import type { Area } from "../area.ts";

/** Moderation of reviews. */
export const reviewsArea: Area = {
  sections: [{ path: "/reviews", label: "Отзывы", icon: "star", block: 1, order: 50, permission: ["reviews"] }],
  routes: [{ path: "/reviews", permission: "reviews", lazy: () => import("./reviews-page.tsx") }],
};
