import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const demo = (env: Record<string, string> = {}) => readConfig({ SHOP_DEMO: "1", DATA_DIR: mkdtempSync(join(tmpdir(), "chekan-config-")), ...env });

test("a demonstration is quiet unless it is told otherwise", () => {
  expect([demo().logLevel, demo({ LOG_LEVEL: "info" }).logLevel, demo({ LOG_LEVEL: "silent" }).logLevel]).toEqual(["warn", "info", "silent"]);
});

test("the market is asked each second in a demonstration, unless it is told otherwise", () => {
  expect([demo().ratesPollSeconds, demo({ RATES_POLL_SECONDS: "60" }).ratesPollSeconds]).toEqual([1, 60]);
});
