import type { Area } from "../area.ts";

/** Purchases of coins from persons. */
export const buybackArea: Area = {
  sections: [{ path: "/buyback", label: "Выкуп", icon: "back", block: 1, order: 45, permission: ["buyback.read"] }],
  routes: [
    { path: "/buyback", lazy: () => import("./deals-page.tsx") },
    { path: "/buyback/new", lazy: () => import("./offer/new-deal-page.tsx") },
    { path: "/buyback/:id", lazy: () => import("./card/deal-page.tsx") },
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
