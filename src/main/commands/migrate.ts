/** Brings the schema of `DATABASE_URL` up to date without starting the shop: the first step of an update. */
import { readConfig } from "../config.ts";
import { openConfiguredDatabase } from "../database/configured-database.ts";
import { createLog } from "../log/log.ts";

const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "0" });
const own = await openConfiguredDatabase(config, createLog("warn"));
if (!own) {
  console.error(`the data folder ${config.dataDir} is in use: stop the shop first`);
  process.exit(2);
}
await own.database.migrate();
await own.close();
console.log("the schema is up to date");
