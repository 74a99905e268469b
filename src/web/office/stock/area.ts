import type { Area } from "../area.ts";

/** Pieces of coins, documents of the stock, stocktakes. */
export const stockArea: Area = {
  sections: [{ path: "/stock", label: "Склад", icon: "shelf", block: 2, order: 4, permission: ["stock.read"] }],
  routes: [
    { path: "/stock", permission: "stock.read", lazy: () => import("./stock-page.tsx") },
    { path: "/stock/coins/:id", permission: "stock.read", lazy: () => import("./coin-page.tsx") },
    { path: "/stock/documents", permission: "stock.read", lazy: () => import("./documents-page.tsx") },
    { path: "/stock/documents/new", permission: "stock.post", lazy: () => import("./document-page.tsx") },
    { path: "/stock/documents/:id", permission: "stock.read", lazy: () => import("./document-page.tsx") },
    { path: "/stock/stocktakes/:id", permission: "stock.read", lazy: () => import("./stocktake-page.tsx") },
  ],
  commands: [
    {
      id: "receive-goods",
      label: "Приход монет",
      icon: "shelf",
      permission: ["stock.post"],
      path: "/stock/documents/new?kind=receipt",
      words: "поставка поставщик накладная принять",
    },
    {
      id: "stocktake",
      label: "Инвентаризация",
      icon: "scan",
      permission: ["stock.post"],
      path: "/stock/documents?view=stocktakes",
      words: "пересчёт посчитать остатки",
    },
    {
      id: "low-stock",
      label: "Мало на складе",
      icon: "shelf",
      permission: ["stock.read"],
      path: "/stock?part=low",
      words: "заканчивается",
    },
  ],
};
