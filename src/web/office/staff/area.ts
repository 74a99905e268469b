import type { Area } from "../area.ts";

/** People, approvals, audit and the devices of the signed-in member of staff. */
export const staffArea: Area = {
  sections: [],
  routes: [{ path: "/devices", lazy: () => import("./devices-page.tsx") }],
  commands: [
    { id: "devices", label: "Мои устройства", icon: "key", permission: "signed_in", path: "/devices", words: "ключ passkey сеансы" },
  ],
};
