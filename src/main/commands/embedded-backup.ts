import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { checkLedger } from "../ledger/ledger.ts";
import { openPglite, restorePglite } from "../database/pglite.ts";
import { pgliteFolder } from "../database/configured-database.ts";
import { requestBackup } from "../process/backup-socket.ts";
import { lockFolder } from "../process/folder-lock.ts";

/** A fault that the person who copies can fix; printed as one line. */
export class BackupError extends Error {}

const databaseFile = "database.tar.gz";
/** Made once and needed for links and cookies that were issued. */
const secretFile = "session-secret";

/** Moves a finished file to its name, so that a broken copy never looks like one. */
function writeWhole(path: string, bytes: Buffer): void {
  writeFileSync(`${path}.partial`, bytes, { mode: 0o600 });
  renameSync(`${path}.partial`, path);
}

/**
 * Copies the embedded database of `dataDir` into the new folder `into`: through the shop that has it open, or, when the shop is stopped, by
 * itself. Returns the size of the copy.
 */
export async function backUp({ dataDir, settings, into }: { dataDir: string; settings: string; into: string }): Promise<number> {
  const folder = pgliteFolder(dataDir);
  if (!existsSync(folder)) throw new BackupError(`there is no embedded database in ${dataDir}`);
  const copy = await copyOf(folder);
  mkdirSync(into, { recursive: true, mode: 0o700 });
  for (const [from, name] of [
    [join(dataDir, secretFile), secretFile],
    [settings, "settings.json"],
  ] as const)
    if (existsSync(from)) copyFileSync(from, join(into, name));
  writeWhole(join(into, databaseFile), copy);
  return copy.length;
}

async function copyOf(folder: string): Promise<Buffer> {
  const lock = await lockFolder(folder);
  if (!lock) {
    const copy = await requestBackup(folder);
    if (!copy) throw new BackupError("the shop has the database open and gave no copy: see its log");
    return copy;
  }
  const database = await openPglite(folder);
  try {
    return Buffer.from(await (await database.dump()).arrayBuffer());
  } finally {
    await database.close();
    await lock.release();
  }
}

/** PGlite does not survive a copy that cannot be unpacked. */
function isWhole(copy: Buffer): boolean {
  try {
    gunzipSync(copy);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces the embedded database of `dataDir` by the copy in `from`. The shop must be stopped. The copy is opened and its ledger checked
 * first; the database that was there stays beside it, under the returned name (null: there was none).
 */
export async function restoreBackup(parts: {
  dataDir: string;
  from: string;
  now: Date;
}): Promise<{ kept: string | null; broken: string[] }> {
  const { dataDir, from, now } = parts;
  const [folder, source] = [pgliteFolder(dataDir), join(from, databaseFile)];
  if (!existsSync(source)) throw new BackupError(`${source} is missing: name the folder that npm run backup has made`);
  const lock = await lockFolder(folder);
  if (!lock) throw new BackupError(`a shop uses ${dataDir}: stop it first`);
  try {
    const restoring = `${folder}.restoring`;
    rmSync(restoring, { recursive: true, force: true });
    const copy = readFileSync(source);
    if (!isWhole(copy)) throw new BackupError(`${source} is damaged`);
    const database = await restorePglite(restoring, copy);
    const broken = await checkLedger(database.db);
    await database.close();
    const kept = existsSync(folder) ? `${folder}.before-${now.toISOString().replaceAll(/[:.]/g, "-")}` : null;
    if (kept) renameSync(folder, kept);
    renameSync(restoring, folder);
    if (existsSync(join(from, secretFile))) copyFileSync(join(from, secretFile), join(dataDir, secretFile));
    return { kept, broken };
  } finally {
    await lock.release();
  }
}
