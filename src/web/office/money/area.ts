import type { Area } from "../area.ts";

/** The bank's statement, payments with refunds and differences, and receipts. */
export const moneyArea: Area = {
  sections: [
    { path: "/payments", label: "Платежи", icon: "card", block: 3, order: 1, permission: ["money.read"] },
    { path: "/statement", label: "Выписка", icon: "bank", block: 3, order: 2, permission: ["money.read"] },
    { path: "/receipts", label: "Чеки", icon: "rcpt", block: 3, order: 3, permission: ["receipts"] },
  ],
  routes: [
    { path: "/payments", permission: "money.read", lazy: () => import("./payments-page.tsx") },
    { path: "/payments/:id", permission: "money.read", lazy: () => import("./payment-page.tsx") },
    { path: "/statement", permission: "money.read", lazy: () => import("./statement/statement-page.tsx") },
    { path: "/statement/all", permission: "money.read", lazy: () => import("./statement/statements-page.tsx") },
    { path: "/statement/:id", permission: "money.read", lazy: () => import("./statement/statement-page.tsx") },
    { path: "/receipts", permission: "receipts", lazy: () => import("./receipts-page.tsx") },
  ],
  commands: [
    {
      id: "refunds",
      label: "Возвраты вручную",
      icon: "back",
      permission: ["money.read"],
      path: "/payments?view=refunds",
      words: "вернуть деньги реквизиты",
    },
    {
      id: "differences",
      label: "Расхождения с платёжной системой",
      icon: "card",
      permission: ["money.read"],
      path: "/payments?view=differences",
    },
  ],
};
