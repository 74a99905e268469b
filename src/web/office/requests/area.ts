import type { Area } from "../area.ts";

/** Callbacks, partners and buyback forms. */
export const requestsArea: Area = {
  sections: [{ path: "/requests", label: "Обращения", icon: "phone", block: 1, order: 40, permission: ["requests"] }],
  routes: [{ path: "/requests/:id?", permission: "requests", lazy: () => import("./requests-page.tsx") }],
  commands: [
    {
      id: "callbacks",
      label: "Обратные звонки",
      icon: "phone",
      permission: ["requests"],
      path: "/requests?kind=callback",
      words: "перезвонить заявки",
    },
  ],
};
