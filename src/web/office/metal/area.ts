import type { Area } from "../area.ts";

/** The metal that is open to the market, and hedges. */
export const metalArea: Area = {
  sections: [{ path: "/metal", label: "Металл", icon: "scales", block: 2, order: 3, permission: ["reports"] }],
  routes: [{ path: "/metal", permission: "reports", lazy: () => import("./metal-page.tsx") }],
  commands: [
    {
      id: "hedge",
      label: "Записать хедж",
      icon: "scales",
      permission: ["prices"],
      path: "/metal?hedge=new",
      words: "фьючерс открытые граммы",
    },
  ],
};
