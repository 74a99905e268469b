/**
 * `npm run seed -- --coins 10000 --orders 100000 --audit 1000000`: fills the configured shop with its seed, invented coins up to that
 * number, and so many more invented orders and audit entries, for load tests. May be repeated; never removes anything. Refuses a shop that
 * is not a demo or has an order, unless `--into-a-real-shop` is given. Exit 0: done; 1: refused; 2: it could not start.
 */
import { parseArgs } from "node:util";
import { operatorCommand } from "#kit/operator-command.ts";
import { ConfigError, readConfig, type Config } from "#main/config.ts";
import { openConfiguredDatabase } from "#main/database/configured-database.ts";
import { createLog } from "#main/log/log.ts";
import { operatingSystemUser } from "#main/commands/staff-user.ts";
import * as orders from "#shop/orders/service.ts";
import { manyCoins } from "./many-coins.ts";
import { addAudit, addOrders } from "./many-orders.ts";
import { seed } from "./seed.ts";
import { addSeedCoins, seedCoins } from "./seed-coins.ts";

const { values } = parseArgs({
  options: {
    coins: { type: "string", default: "379" },
    orders: { type: "string", default: "0" },
    audit: { type: "string", default: "0" },
    "into-a-real-shop": { type: "boolean", default: false },
  },
});
const count = Number(values.coins);
const orderCount = Number(values.orders);
const auditCount = Number(values.audit);
if (![orderCount, auditCount].every((each) => Number.isInteger(each) && each >= 0 && each <= 10_000_000))
  stop(2, `usage: ${operatorCommand("seed", "--orders 100000 --audit 1000000")}`);
if (!Number.isInteger(count) || count < 1 || count > 100_000) stop(2, `usage: ${operatorCommand("seed", "--coins 10000")} (1 to 100000)`);

const config = read();
const own = await openConfiguredDatabase(config, createLog("warn"));
if (!own) stop(2, `the data folder ${config.dataDir} is in use: stop the shop first, or set DATABASE_URL`);

try {
  const { database } = own;
  await database.migrate();
  const hasOrders = await orders.hasAny(database.db);
  if ((!config.isDemo || hasOrders) && !values["into-a-real-shop"]) {
    console.error(
      `refused: ${hasOrders ? "this shop has taken orders" : "this shop is no demo (SHOP_DEMO=0)"}; ` +
        "invented coins would be sold. Add --into-a-real-shop if that is meant.",
    );
    process.exitCode = 1;
  } else {
    const ctx = { db: database.db, now: () => new Date(), actor: operatingSystemUser() };
    await seed(ctx, { progress: (done) => console.log(done) });
    const added = await addSeedCoins(ctx, manyCoins(await seedCoins(ctx.now()), count));
    console.log(`${count} coins: ${added} added, ${count - added} as they were`);
    if (orderCount > 0) await addOrders(database.db, orderCount, ctx.now(), (done) => console.log(done));
    if (auditCount > 0) await addAudit(database.db, auditCount, ctx.now(), (done) => console.log(done));
  }
} finally {
  await own.close();
}

function read(): Config {
  try {
    return readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
  } catch (error) {
    if (error instanceof ConfigError) stop(2, error.message);
    throw error;
  }
}

function stop(code: number, message: string): never {
  console.error(message);
  process.exit(code);
}
