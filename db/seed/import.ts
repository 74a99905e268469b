/**
 * `npm run import -- file.json`: adds the coins of a file (`-`: of the standard input) to the configured shop, or updates their texts.
 * Exit 0: imported; 1: refused, with every invalid row named; 2: it could not start.
 */
import { operatorCommand } from "#kit/operator-command.ts";
import { readConfig } from "#main/config.ts";
import { openConfiguredDatabase } from "#main/database/database.ts";
import { readGivenFile } from "#main/given-file.ts";
import { createLog } from "#main/log/log.ts";
import { operatingSystemUser } from "#main/staff-user.ts";
import { ImportRefused } from "./coin-row.ts";
import { importCoins } from "./import-coins.ts";

const [path] = process.argv.slice(2);
if (path === undefined) stop(`usage: ${operatorCommand("import", "file.json")}`);

const text = await readGivenFile(path).catch((error: Error) => stop(error.message));
let file: unknown;
try {
  file = JSON.parse(text.toString());
} catch (error) {
  stop(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
}

const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
const own = await openConfiguredDatabase(config, createLog("warn"));
if (!own) stop(`the data folder ${config.dataDir} is in use: stop the shop first, or set DATABASE_URL`);

try {
  await own.database.migrate();
  const { rows, added, changed } = await importCoins(
    { db: own.database.db, now: () => new Date(), actor: operatingSystemUser() },
    file,
    config.limits,
  );
  console.log(`${rows} coins: ${added} added, ${changed} changed, ${rows - added - changed} as they were`);
} catch (error) {
  if (!(error instanceof ImportRefused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await own.close();
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
