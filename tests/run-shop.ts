/** Entry of the process started by `running-shop.ts`: the shop with a clock that its parent can move. */
import { plus } from "#kit/time.ts";
import { readConfig } from "#main/config.ts";
import { configuredOptions, openPglite, openPostgres, pgliteFolder } from "#main/database/database.ts";
import { createLog } from "#main/log/log.ts";
import { startShop } from "#main/server.ts";

let moved = 0;
const now = (): Date => plus(new Date(), moved);

const config = readConfig();
const log = createLog(config.logLevel);
const database = config.DATABASE_URL
  ? openPostgres(config.DATABASE_URL, configuredOptions(config, { log, max: config.DATABASE_POOL }))
  : await openPglite(pgliteFolder(config.dataDir));
await database.migrate();
const shop = await startShop({ config, log, database, now, progress: () => {}, buildFolder: process.env.BUILD_FOLDER });
process.send?.({ kind: "ready", url: shop.url, officeUrl: shop.officeUrl });

process.on("message", (message: { advance?: number }) => {
  if (typeof message.advance !== "number") return;
  moved += message.advance;
  process.send?.({ kind: "advanced" });
});
const stop = () =>
  void shop
    .stop()
    .then(() => database.close())
    .then(() => process.exit(0));
process.on("SIGTERM", stop);
process.on("disconnect", stop); // the test run has ended
