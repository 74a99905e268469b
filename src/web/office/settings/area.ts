import type { Area } from "../area.ts";

/** The values of the settings file and the limits, changed without a restart. */
export const settingsArea: Area = {
  sections: [{ path: "/settings", label: "Настройки", icon: "gear", block: 5, order: 50, permission: ["settings"] }],
  routes: [
    { path: "/settings", permission: "settings", lazy: () => import("./settings-page.tsx") },
    { path: "/settings/:key", permission: "settings", lazy: () => import("./settings-page.tsx") },
  ],
  commands: [
    {
      id: "requisites",
      label: "Реквизиты магазина",
      icon: "gear",
      permission: ["settings"],
      path: "/settings/requisites",
      words: "инн кпп счёт банк",
    },
    {
      id: "market-calendar",
      label: "Праздники биржи",
      icon: "gear",
      permission: ["settings"],
      path: "/settings/market",
      words: "календарь торги выходные",
    },
    {
      id: "shop-contacts",
      label: "Телефоны и часы магазина",
      icon: "gear",
      permission: ["settings"],
      path: "/settings/identity",
      words: "контакты адрес почта",
    },
  ],
};
