import type { Area } from "../area.ts";

/** Coins with their pictures, the sections of the catalogue and the synonyms of the search. */
export const coinsArea: Area = {
  sections: [{ path: "/coins", label: "Монеты", icon: "coin", block: 2, order: 1, permission: ["coins"] }],
  routes: [
    { path: "/coins", permission: "coins", lazy: () => import("./coins-page.tsx") },
    { path: "/coins/new", permission: "coins", lazy: () => import("./editor/new-coin-page.tsx") },
    { path: "/coins/categories", permission: "coins", lazy: () => import("./sections/categories-page.tsx") },
    { path: "/coins/series", permission: "coins", lazy: () => import("./sections/series-page.tsx") },
    { path: "/coins/synonyms", permission: "coins", lazy: () => import("./synonyms-page.tsx") },
    { path: "/coins/:id", permission: "coins", lazy: () => import("./editor/coin-page.tsx") },
  ],
  commands: [
    { id: "new-coin", label: "Новая монета", icon: "coin", permission: ["coins"], path: "/coins/new", words: "добавить завести выпуск" },
    {
      id: "categories",
      label: "Разделы каталога",
      icon: "coin",
      permission: ["coins"],
      path: "/coins/categories",
      words: "категории меню",
    },
    { id: "series", label: "Серии монет", icon: "coin", permission: ["coins"], path: "/coins/series" },
    { id: "synonyms", label: "Синонимы поиска", icon: "search", permission: ["coins"], path: "/coins/synonyms", words: "слова запросы" },
  ],
};
