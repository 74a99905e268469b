/**
 * `npm run check:ledger`: prints the broken invariants of the configured database, one line each, and what they mean; exit code 1 if there
 * are any. May run beside the shop on PostgreSQL. With the payment provider's credentials it also compares the payments and refunds of the
 * last days; the last line says whether it did.
 */
import { createYookassaGateway } from "#integrations/yookassa/adapter.ts";
import { sqlState, type Db } from "#kit/db.ts";
import { readConfig, type Config } from "../config.ts";
import { openConfiguredDatabase } from "../database/configured-database.ts";
import { realProviders } from "../gateways.ts";
import { invariants } from "../ledger/check.ts";
import { checkLedger, compareWithProvider } from "../ledger/ledger.ts";
import { createLog } from "../log/log.ts";

const undefinedTable = "42P01";
const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
const own = await openConfiguredDatabase(config, createLog("warn"));
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
const provider = await compareProvider(config, own.database.db);
await own.close();
const allBroken = [...broken, ...provider.broken];
for (const line of allBroken) console.error(line);
for (const [name, meaning] of Object.entries(invariants))
  if (allBroken.some((line) => line.startsWith(`${name} `))) console.error(`${name} means: ${meaning}`);
process.stdout.write(`${allBroken.length === 0 ? "the ledger is in order" : `${allBroken.length} broken`}\n${provider.report}\n`);
process.exit(allBroken.length === 0 ? 0 : 1);

async function compareProvider(settings: Config, db: Db): Promise<{ broken: string[]; report: string }> {
  const { yookassa } = realProviders(settings);
  if (yookassa.shopId === "" || yookassa.secretKey === "")
    return { broken: [], report: "the payment provider was not compared: YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY are not set" };
  const { ledgerCompareDays } = settings.limits;
  const now = () => new Date();
  const gateway = createYookassaGateway({ ...yookassa, now });
  try {
    return {
      broken: await compareWithProvider({ db, now, gateways: { payment: gateway } }, ledgerCompareDays),
      report: `the payment provider was compared over ${ledgerCompareDays} days`,
    };
  } catch (error) {
    return { broken: [], report: `the payment provider was not compared: ${error instanceof Error ? error.message : "it did not answer"}` };
  } finally {
    await gateway.close();
  }
}
