import type { Area } from "../area.ts";

/** Customers, the subscribers of the newsletter, and the register of requests about personal data. */
export const customersArea: Area = {
  sections: [
    { path: "/customers", label: "Покупатели", icon: "user", block: 1, order: 60, permission: ["customers.read"] },
    { path: "/privacy", label: "Персональные данные", icon: "eye", block: 5, order: 50, permission: ["customers.export"] },
  ],
  routes: [
    { path: "/customers", permission: "customers.read", lazy: () => import("./customers-page.tsx") },
    { path: "/customers/subscribers", permission: "customers.read", lazy: () => import("./subscribers-page.tsx") },
    { path: "/customers/:id", permission: "customers.read", lazy: () => import("./customer-page.tsx") },
    { path: "/privacy", permission: "customers.export", lazy: () => import("./privacy-page.tsx") },
  ],
  commands: [
    {
      id: "subscribers",
      label: "Подписчики",
      icon: "user",
      permission: ["customers.read"],
      path: "/customers/subscribers",
      words: "рассылка письма согласия отписать",
    },
  ],
};
