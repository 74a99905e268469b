/**
 * `npm run backup [-- <folder>]`: a copy of the embedded database, its secret and the settings in a new folder, also while the shop runs.
 * `npm run restore -- <folder>`: puts it back, with the shop stopped. PostgreSQL has `deploy/backup/`.
 */
import { join, resolve } from "node:path";
import { readConfig } from "../config.ts";
import { backUp, BackupError, restoreBackup } from "./embedded-backup.ts";

const [verb, folder] = process.argv.slice(2);
const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
const now = new Date();
try {
  if (config.DATABASE_URL) throw new BackupError("this shop uses PostgreSQL: see deploy/backup and docs/runbook.md");
  if (verb === "restore") {
    if (folder === undefined) throw new BackupError("usage: npm run restore -- <folder of the copy>");
    const { kept, broken } = await restoreBackup({ dataDir: config.dataDir, from: resolve(folder), now });
    for (const line of broken) console.error(line);
    const earlier = kept ? `; the earlier database is in ${kept}` : "";
    process.stdout.write(`restored, ${broken.length === 0 ? "the ledger is in order" : `${broken.length} broken`}${earlier}\n`);
    process.exitCode = broken.length === 0 ? 0 : 1;
  } else {
    const into = resolve(folder ?? join("backups", now.toISOString().replaceAll(/[:.]/g, "-")));
    const bytes = await backUp({ dataDir: config.dataDir, settings: config.SHOP_SETTINGS, into });
    process.stdout.write(`${(bytes / 1024 ** 2).toFixed(1)} MB in ${into}\n`);
  }
} catch (error) {
  if (!(error instanceof BackupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
