import type { Area } from "../area.ts";

/** Batches of orders at the packing table, labels and the hand-over to the courier. */
export const packingArea: Area = {
  sections: [{ path: "/packing", label: "Упаковка", icon: "box", block: 1, order: 3, permission: ["orders.pack"], startOf: ["packing"] }],
  routes: [
    { path: "/packing", permission: "orders.pack", lazy: () => import("./packing-page.tsx") },
    { path: "/packing/batches/:id", permission: "orders.pack", lazy: () => import("./batch-page.tsx") },
    { path: "/packing/labels/:id", permission: "orders.pack", lazy: () => import("./label-page.tsx") },
    { path: "/packing/hand-over", permission: "orders.pack", lazy: () => import("./hand-over-page.tsx") },
  ],
  commands: [
    {
      id: "hand-over",
      label: "Опись курьеру",
      icon: "print",
      permission: ["orders.pack"],
      path: "/packing/hand-over",
      words: "передать сдэк",
    },
  ],
};
