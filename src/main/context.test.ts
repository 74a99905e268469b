import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { silentLog } from "#kit/log.ts";
import { passwordCost } from "#kit/security/password.ts";
import { readConfig } from "./config.ts";
import { createContext } from "./context.ts";

test("the shop hashes passwords at the production cost", () => {
  const ctx = createContext({
    config: readConfig({ SHOP_DEMO: "1", DATA_DIR: mkdtempSync(join(tmpdir(), "chekan-context-")) }),
    db: {} as never,
    enqueue: async () => {},
    log: silentLog,
    gateways: {} as never,
    registry: new Registry(),
    actor: { kind: "job", name: "test" },
  });
  expect(ctx.settings.passwordCost).toBe(passwordCost);
});
