import type { Area } from "../area.ts";

/** Prices: bulk changes with preview, their list and schedule. */
export const pricesArea: Area = {
  sections: [{ path: "/prices", label: "Цены", icon: "price", block: 2, order: 2, permission: ["prices"] }],
  routes: [
    { path: "/prices", permission: "prices", lazy: () => import("./prices-page.tsx") },
    { path: "/prices/promos", permission: "prices", lazy: () => import("./promos-page.tsx") },
    { path: "/prices/promos/:id", permission: "prices", lazy: () => import("./promo-page.tsx") },
    { path: "/prices/codes", permission: "prices", lazy: () => import("./codes-page.tsx") },
    { path: "/prices/codes/new", permission: "prices", lazy: () => import("./new-code-page.tsx") },
    { path: "/prices/codes/:id", permission: "prices", lazy: () => import("./code-page.tsx") },
    { path: "/prices/steps", permission: "prices", lazy: () => import("./steps-page.tsx") },
    { path: "/prices/changes", permission: "prices", lazy: () => import("./changes-page.tsx") },
    { path: "/prices/changes/:id", permission: "prices", lazy: () => import("./change-page.tsx") },
  ],
  commands: [
    {
      id: "price-promos",
      label: "Акции",
      icon: "price",
      permission: ["prices"],
      path: "/prices/promos",
      words: "скидка зачёркнутая цена распродажа",
    },
    {
      id: "promo-codes",
      label: "Промокоды",
      icon: "price",
      permission: ["prices"],
      path: "/prices/codes",
      words: "купон код скидка",
    },
    {
      id: "price-steps",
      label: "Цены по количеству",
      icon: "price",
      permission: ["prices"],
      path: "/prices/steps",
      words: "опт ступени скидка штук",
    },
    {
      id: "price-changes",
      label: "Изменения цен",
      icon: "price",
      permission: ["prices"],
      path: "/prices/changes",
      words: "премия отменить расписание",
    },
  ],
};
