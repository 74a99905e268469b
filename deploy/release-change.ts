import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { request } from "node:http";
import { basename, join } from "node:path";
import type { Processes } from "./processes.ts";
import { inOrder, type Unit } from "./roles.ts";
import { UpdateRefusedError, verifyArchive, verifyFolder, type Manifest } from "./verify.ts";

export type UpdateOptions = {
  /** Folder with `releases/` and the link `current`. */
  home: string;
  archive: string;
  /** PEM of the key that releases are signed with. */
  publicKey: string;
  /** The processes that run; they are restarted in the order of their roles. */
  units: readonly Unit[];
  processes: Processes;
  /** The `Host` of the shop's own address, which a process insists on. */
  hostOf: (process: number) => string;
  say: (line: string) => void;
  /** How long a restarted process may take to become ready. */
  readyMs?: number;
  /** Pause after each process, in which the balancer notices that it is back. */
  settleMs?: number;
  /** Aborted: the update ends as if a check had failed. */
  interruption?: AbortSignal | undefined;
};

/** Releases that stay on the disk: the current one and those to return to. */
const maxReleases = 3;
/** Read from every restarted process with pages. None needs a provider: a shop whose exchange is silent can be updated. */
const pagesRead = ["/", "/catalog", "/api/catalog", "/cart"];
const smokeRetries = 3;
/** The link to the release before, as long as an update is under way: one that broke off leaves it behind. */
const provenLink = "proven";

/**
 * Installs a release beside the running one, migrates, restarts the processes one after another and checks each. When a check fails, the
 * processes that were restarted return to the release before; the schema stays, because every migration suits the release before it. After
 * an update that broke off, `current` may be a release that was never checked: the one to return to is the one before that update. Returns
 * the manifest of the release that runs now. Throws `UpdateRefusedError` when nothing was changed, and an error after a rollback.
 */
export async function update(options: UpdateOptions): Promise<Manifest> {
  const { home, archive, publicKey, processes, say, interruption } = options;
  verifyArchive(archive, publicKey);
  say("signature and checksum are right");
  const { folder, manifest } = unpack(home, archive);
  say(`${manifest.name} unpacked, ${Object.keys(manifest.files).length} files checked`);
  const proven = releaseAt(home, provenLink);
  if (proven !== null) say(`an update before this one broke off; the release to return to is ${basename(proven)}`);
  const current = currentRelease(home);
  const before = proven ?? current;
  await processes.runOnce(folder, "migrate").catch((error: Error) => {
    throw new UpdateRefusedError(`the migration failed, the old release runs on: ${error.message}`);
  });
  say(`schema has ${manifest.migrations.at(-1)}`);

  const units = inOrder(options.units);
  const restarted: Unit[] = [];
  if (before !== null) pointTo(home, before, provenLink);
  try {
    changeTo(options, folder, current === folder ? before : current);
    for (const unit of units) {
      await stopIfInterrupted(interruption);
      restarted.push(unit);
      await restart(options, unit);
      await smoke(options, unit, manifest);
    }
    await stopIfInterrupted(interruption);
  } catch (error) {
    say(`failed: ${(error as Error).message}`);
    // The update that broke off may have restarted any of them.
    if (before !== null)
      await takeBack({ ...options, interruption: undefined }, proven === null ? restarted : units, { failed: folder, before });
    throw error;
  }
  rmSync(join(home, provenLink), { force: true });
  utimesSync(folder, new Date(), new Date());
  prune(home, [folder, before ?? folder]);
  renewBackup(options);
  say(`${manifest.name} runs on ${units.length} processes`);
  return manifest;
}

/** Throws what the signal was aborted with. Commands block this process, so a signal that came meanwhile is handled first. */
async function stopIfInterrupted(interruption: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  interruption?.throwIfAborted();
}

/**
 * Returns restarted processes to the release before. Each step is tried whatever became of the others: a process that does not become ready
 * must not leave the next one on the failed release. Never throws, so that the fault of the update is the one that is reported.
 */
async function takeBack(
  options: UpdateOptions,
  units: readonly Unit[],
  { failed, before }: { failed: string; before: string },
): Promise<void> {
  const { home, say } = options;
  const attempt = async (step: () => void | Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      say(`failed while taking it back: ${(error as Error).message}`);
    }
  };
  await attempt(() => changeTo(options, before, failed));
  await attempt(() => utimesSync(failed, new Date(0), new Date(0))); // the oldest now, so that `--back` does not choose it
  for (const unit of units) await attempt(() => restart(options, unit));
  await attempt(() => rmSync(join(home, provenLink), { force: true }));
  say(`rolled back to ${basename(before)}`);
}

/**
 * Returns to an installed release: the named one, the one before an update that broke off, or the last one before the current. The schema
 * stays.
 */
export async function rollback(options: Omit<UpdateOptions, "archive" | "publicKey" | "interruption">, name?: string): Promise<Manifest> {
  const { home, units, say } = options;
  const current = currentRelease(home);
  const earlier = [releaseAt(home, provenLink), ...releasesIn(home)].find((each) => each !== null && each !== current);
  const folder = name === undefined ? earlier : join(home, "releases", name);
  if (!folder || !existsSync(folder)) throw new UpdateRefusedError(`there is no release to return to in ${join(home, "releases")}`);
  const manifest = verifyFolder(folder);
  changeTo(options, folder, current);
  for (const unit of inOrder(units)) {
    await restart(options, unit);
    await smoke(options, unit, manifest);
  }
  rmSync(join(home, provenLink), { force: true });
  renewBackup(options);
  say(`${manifest.name} runs on ${units.length} processes`);
  return manifest;
}

/** The service of the backup goes on with the scripts that it was started from. It must not make an update fail that has succeeded. */
function renewBackup({ processes, say }: Pick<UpdateOptions, "processes" | "say">): void {
  try {
    processes.restartBackup();
  } catch (error) {
    say(`the service of the backup was not restarted: ${(error as Error).message}`);
  }
}

/**
 * Unpacks into a folder that gets its name only when it is complete and on the disk. A release that is there already is checked again and,
 * when a file is damaged, unpacked anew: a machine that lost its power may have lost what was written last. A failure leaves nothing, so
 * that a full disk gets its room back.
 */
function unpack(home: string, archive: string): { folder: string; manifest: Manifest } {
  const name = basename(archive, ".tar.gz");
  const folder = join(home, "releases", name);
  const whole = manifestIfWhole(folder);
  if (whole) return { folder, manifest: whole };
  const part = join(home, "releases", ".part");
  try {
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    const { status, stderr } = spawnSync("tar", ["-xzf", archive, "-C", part, "--no-same-owner"], { encoding: "utf8" });
    if (status !== 0) throw new UpdateRefusedError(`${archive} cannot be unpacked: ${stderr.trim()}`);
    const manifest = verifyFolder(join(part, name));
    spawnSync("sync", ["-f", join(part, name)]);
    if (existsSync(folder)) renameSync(folder, join(part, "damaged"));
    renameSync(join(part, name), folder);
    return { folder, manifest };
  } catch (error) {
    throw error instanceof UpdateRefusedError
      ? error
      : new UpdateRefusedError(`${archive} cannot be unpacked: ${(error as Error).message}`);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** The manifest of a release of which no file is missing or damaged; null otherwise. */
function manifestIfWhole(folder: string): Manifest | null {
  try {
    return verifyFolder(folder);
  } catch {
    return null;
  }
}

export const currentRelease = (home: string): string | null => releaseAt(home, "current");

/** The release that a link of `home` leads to; null: there is no such link, or the release is gone. */
function releaseAt(home: string, name: string): string | null {
  const link = join(home, name);
  return existsSync(link) && lstatSync(link).isSymbolicLink() ? readlinkSync(link) : null;
}

/** From now on processes start from this release and by its unit files. */
function changeTo(
  { home, processes, say }: Pick<UpdateOptions, "home" | "processes" | "say">,
  folder: string,
  before: string | null,
): void {
  pointTo(home, folder);
  const { changed, kept } = processes.useUnitFiles(folder, before);
  if (changed.length > 0) say(`unit files of ${basename(folder)}: ${changed.join(", ")}`);
  for (const name of kept) say(`${name} was changed on this machine and stays; compare it with the one of ${basename(folder)}`);
}

/** Changes a link of `home` in one step. */
export function pointTo(home: string, folder: string, name = "current"): void {
  const link = join(home, `.${name}`);
  rmSync(link, { force: true });
  symlinkSync(folder, link);
  renameSync(link, join(home, name));
}

/** Folders of the installed releases, the last one used first. */
function releasesIn(home: string): string[] {
  return readdirSync(join(home, "releases"))
    .filter((name) => name.startsWith("chekan-"))
    .map((name) => join(home, "releases", name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
}

function prune(home: string, used: string[]): void {
  const kept = new Set([...new Set([...used, ...releasesIn(home)])].slice(0, maxReleases));
  for (const folder of releasesIn(home)) if (!kept.has(folder)) rmSync(folder, { recursive: true, force: true });
}

async function restart(
  { processes, hostOf, readyMs = 60_000, settleMs = 3_000, say, interruption }: Omit<UpdateOptions, "archive" | "publicKey">,
  { number, role }: Unit,
) {
  const from = performance.now();
  await processes.restart(number);
  const port = processes.portOf(number);
  for (const giveUpAt = from + readyMs; (await get(port, "/readyz", hostOf(number))).status !== 200;) {
    await stopIfInterrupted(interruption);
    if (performance.now() > giveUpAt) throw new Error(`process ${number} was not ready within ${readyMs / 1000} s`);
    await pause(100);
  }
  say(`process ${number} (${role}) is ready after ${((performance.now() - from) / 1000).toFixed(1)} s`);
  await pause(settleMs);
}

async function smoke(
  { processes, hostOf }: Pick<UpdateOptions, "processes" | "hostOf">,
  { number }: Unit,
  { build }: Manifest,
): Promise<void> {
  const port = processes.portOf(number);
  const { body } = await get(port, "/api/build", hostOf(number));
  if (!body.includes(JSON.stringify(build))) throw new Error(`process ${number} does not serve build ${build}: ${body.slice(0, 100)}`);
  // A process that only works, or has only the back office.
  if (body.includes('"pages":false')) return;
  for (const path of pagesRead) {
    let { status } = await get(port, path, hostOf(number));
    // On a busy machine a page may take too long once.
    for (let again = 0; status === 503 && again < smokeRetries; again += 1) {
      await pause(1_000);
      ({ status } = await get(port, path, hostOf(number)));
    }
    if (status !== 200) throw new Error(`process ${number} answers ${path} with ${status}`);
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Status 0: no answer. `node:http`, because `fetch` sets no `Host`. */
function get(port: number, path: string, host: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const fail = () => resolve({ status: 0, body: "no answer" });
    const asked = request({ port, host: "127.0.0.1", path, headers: { host }, timeout: 10_000 }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
      answer.on("error", fail);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", fail);
    asked.end();
  });
}
