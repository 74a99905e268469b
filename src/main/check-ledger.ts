/** `npm run check:ledger`: what is broken in the books of the configured database, one line each; exit 1 if anything is. May run beside the shop on PostgreSQL. */
import { sqlState } from "#kit/db.ts";
import { readConfig } from "./config.ts";
import { openOwnDatabase } from "./database.ts";
import { checkLedger } from "./ledger.ts";
import { createLog } from "./log.ts";

const undefinedTable = "42P01";
const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
const own = await openOwnDatabase(config, createLog("warn"));
if (!own) {
  console.error(`the data folder ${config.dataDir} is in use: stop the shop first, or set DATABASE_URL`);
  process.exit(2);
}
if (!(await own.database.isReachable())) {
  console.error("the database does not answer");
  process.exit(2);
}
const broken = await checkLedger(own.database.db).catch((error: unknown) => {
  if (sqlState(error) !== undefinedTable) throw error;
  console.error("there is no shop in this database yet: start it once");
  process.exit(2);
});
await own.close();
for (const line of broken) console.error(line);
process.stdout.write(broken.length === 0 ? "the ledger is in order\n" : `${broken.length} broken\n`);
process.exit(broken.length === 0 ? 0 : 1);
