import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { pagePaths } from "./src/web/page-paths.build.ts";

/** Tests that use the harness of `tests/` need PostgreSQL; all others are quick. */
const all = globSync(["src/**/*.test.{ts,tsx}", "db/**/*.test.ts", "tests/**/*.test.ts", "scripts/**/*.test.ts", "deploy/**/*.test.ts"]);
const needsPostgres = (path: string): boolean =>
  /from "(#tests|\.)\/(shop|postgres|running-shop)\.ts"|\bopen\w+Bench\b/.test(readFileSync(path, "utf8"));

export default defineConfig({
  plugins: [pagePaths()],
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } }, // patience for a busy machine; a second is the default
    maxWorkers: 2,
    // Modules are loaded once for each worker: loading them anew for each file took a third of the whole time. A file leaves nothing
    // behind.
    isolate: false,
    projects: [
      { extends: true, test: { name: "quick", include: all.filter((path) => !needsPostgres(path)) } },
      { extends: true, test: { name: "services", include: all.filter(needsPostgres), globalSetup: ["tests/global-setup.ts"] } },
    ],
  },
});
