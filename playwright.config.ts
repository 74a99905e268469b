import { defineConfig } from "@playwright/test";
import { chromiumPath } from "./tests/chromium.ts";

/** Journeys that `npm test` runs: the ways that money goes, sign-in, and orders, packing and money in the back office. */
const core = [
  "buy-as-guest",
  "invoice-and-sbp",
  "last-coin",
  "lists",
  "pay",
  "sign-in",
  "trust",
  "office",
  "office-orders",
  "office-packing",
  "office-money",
].map((name) => `**/${name}.e2e.ts`);

export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "core", testMatch: core },
    // Every page at every width, every state, faults: `npm run test:gate`, which the gate runs after `npm test`.
    { name: "wide", testMatch: "**/*.e2e.ts", testIgnore: core },
  ],
  globalSetup: "./e2e/postgres.ts",
  // Patience for a machine that does other work beside; what passes does not wait.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  workers: 2, // each has a shop of its own
  forbidOnly: true,
  // CI repeats a failed journey once, because a browser on a busy machine now and then loses an answer of its own; the last lines of the
  // run name each journey that needed it. Elsewhere a failure stays one.
  retries: process.env.CI === undefined ? 0 : 1,
  reporter: [["list"], ["json"]],
  use: {
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    screenshot: "only-on-failure",
    trace: "off", // recording each step costs a quarter of the whole run; `npx playwright test <file> --trace on` when one fails
    launchOptions: {
      executablePath: await chromiumPath(),
      // Without a locale of UTF-8 Chromium replaces the Russian names of downloads.
      env: { ...(process.env as Record<string, string>), LC_ALL: "C.UTF-8" },
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
