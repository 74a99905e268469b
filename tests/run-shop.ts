/** Entry of the process started by `running-shop.ts`: the shop with a clock that its parent can move. */
import { readConfig } from "#main/config.ts";
import { openPglite } from "#main/database/pglite.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { configuredOptions, pgliteFolder } from "#main/database/configured-database.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { createLog } from "#main/log/log.ts";
import { createShutdown } from "#main/process/shutdown.ts";
import { startShop } from "#main/server.ts";

let moved = 0;
const now = (): Date => new Date(Date.now() + moved);

const config = readConfig();
const log = createLog(config.logLevel);
const shutdown = createShutdown(log);
process.on("SIGTERM", () => void shutdown.stop("SIGTERM"));
process.on("disconnect", () => void shutdown.stop("disconnect")); // the test run has ended
const database = config.DATABASE_URL
  ? openPostgres(config.DATABASE_URL, configuredOptions(config, { log, max: config.DATABASE_POOL }))
  : await openPglite(pgliteFolder(config.dataDir));
shutdown.opened(database.close);
await database.migrate();
const shop = await startShop({ config, log, database, now, progress: () => {}, buildFolder: process.env.BUILD_FOLDER });
shutdown.opened(shop.stop);
process.send?.({ kind: "ready", url: shop.url, officeUrl: shop.officeUrl });

process.on("message", async (message: { advance?: number; ledger?: boolean }) => {
  if (message.ledger) process.send?.({ kind: "checked", broken: await checkLedger(database.db) });
  if (typeof message.advance !== "number") return;
  moved += message.advance;
  process.send?.({ kind: "advanced" });
});
