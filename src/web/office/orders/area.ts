import type { Area } from "../area.ts";

/** What waits, the list of orders and the card of one order. */
export const ordersArea: Area = {
  sections: [
    {
      path: "/waiting",
      label: "Ждёт",
      icon: "wait",
      block: 1,
      order: 1,
      permission: "signed_in",
      startOf: ["sales", "accountant", "owner", "admin", "buyback", "editor"],
    },
    { path: "/orders", label: "Заказы", icon: "bag", block: 1, order: 2, permission: ["orders.read"] },
  ],
  routes: [
    { path: "/waiting", permission: "signed_in", lazy: () => import("./waiting/waiting-page.tsx") },
    { path: "/orders", permission: "orders.read", lazy: () => import("./list/orders-page.tsx") },
    { path: "/orders/:id", permission: "orders.read", lazy: () => import("./card/order-page.tsx") },
  ],
};
