import type { Area } from "../area.ts";

/** Purchases of coins from persons. */
export const buybackArea: Area = {
  sections: [{ path: "/buyback", label: "Выкуп", icon: "back", block: 1, order: 45, permission: ["buyback.read"] }],
  routes: [
    { path: "/buyback", permission: "buyback.read", lazy: () => import("./deals-page.tsx") },
    { path: "/buyback/new", permission: "buyback", lazy: () => import("./offer/new-deal-page.tsx") },
    { path: "/buyback/:id", permission: "buyback.read", lazy: () => import("./card/deal-page.tsx") },
  ],
  commands: [
    {
      id: "new-deal",
      label: "Новая сделка выкупа",
      icon: "back",
      permission: ["buyback"],
      path: "/buyback/new",
      words: "купить монеты у человека предложение зафиксировать",
    },
    {
      id: "deals-to-pay",
      label: "Выплаты за выкуп",
      icon: "back",
      permission: ["payout"],
      path: "/buyback?view=checked",
      words: "заплатить продавцу перевод",
    },
  ],
};
