import type { Area } from "../area.ts";

/** Tables of numbers over days. */
export const reportsArea: Area = {
  sections: [{ path: "/reports", label: "Отчёты", icon: "chart", block: 5, order: 1, permission: ["reports"] }],
  routes: [{ path: "/reports", permission: "reports", lazy: () => import("./reports-page.tsx") }],
  commands: [
    {
      id: "margin",
      label: "Маржа по дням",
      icon: "chart",
      permission: ["reports"],
      path: "/reports?view=margin_days",
      words: "прибыль продажи выручка",
    },
  ],
};
