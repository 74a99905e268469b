import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/web",
  buildDirectory: "build",
  ssr: true,
  // All routes stand in one hashed manifest: no call for more of it while a buyer browses.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
