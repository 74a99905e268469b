import type { Area } from "../area.ts";

/** People, approvals, audit and the devices of the signed-in member of staff. */
export const staffArea: Area = {
  sections: [
    { path: "/approvals", label: "Согласования", icon: "two", block: 5, order: 20, permission: "signed_in" },
    { path: "/audit", label: "Журнал", icon: "log", block: 5, order: 30, permission: ["audit.read"] },
    { path: "/people", label: "Сотрудники", icon: "users", block: 5, order: 40, permission: ["staff"], startOf: ["admin"] },
  ],
  routes: [
    { path: "/approvals", permission: "signed_in", lazy: () => import("./approvals-page.tsx") },
    { path: "/alarms", permission: "signed_in", lazy: () => import("./alarms-page.tsx") },
    { path: "/audit", permission: "audit.read", lazy: () => import("./audit-page.tsx") },
    { path: "/people", permission: "staff", lazy: () => import("./people-page.tsx") },
    { path: "/devices", permission: "signed_in", lazy: () => import("./devices-page.tsx") },
  ],
  commands: [
    { id: "alarms", label: "Тревоги", icon: "wait", permission: "signed_in", path: "/alarms", words: "сбой решено" },
    { id: "devices", label: "Мои устройства", icon: "key", permission: "signed_in", path: "/devices", words: "ключ passkey сеансы" },
    { id: "invite", label: "Пригласить сотрудника", icon: "users", permission: ["staff"], path: "/people?invite=1" },
  ],
};
