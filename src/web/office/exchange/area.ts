import type { Area } from "../area.ts";

/** Imports with a dry run, exports, price lists and the accounting system (1C). */
export const exchangeArea: Area = {
  sections: [{ path: "/exchange", label: "Обмен", icon: "two", block: 2, order: 9, permission: ["exchange"] }],
  routes: [
    { path: "/exchange", permission: "exchange", lazy: () => import("./exchange-page.tsx") },
    { path: "/exchange/imports/:id", permission: "exchange", lazy: () => import("./import-page.tsx") },
  ],
  commands: [
    {
      id: "export",
      label: "Выгрузить таблицу",
      icon: "down",
      permission: ["exchange"],
      path: "/exchange?view=export",
      words: "экспорт прайс csv xlsx эксель",
    },
    {
      id: "import",
      label: "Загрузить таблицу",
      icon: "two",
      permission: ["exchange"],
      path: "/exchange",
      words: "импорт цены остатки монеты csv xlsx эксель",
    },
    { id: "1c", label: "Обмен с 1С", icon: "two", permission: ["exchange"], path: "/exchange?view=1c", words: "бухгалтерия товары" },
  ],
};
