import { existsSync, type StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { sql } from "drizzle-orm";
import { Gauge, type Registry } from "prom-client";
import type { Db } from "#kit/db.ts";
import { hours } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";

/** Folders by the name of what they hold: `data`, `database`. */
export type Disks = Readonly<Record<string, string>>;
type Measure = (folder: string) => Promise<Pick<StatsFs, "bsize" | "blocks" | "bfree" | "bavail">>;

const everyMs = 60_000;
/** A disk that stays full is reported again after this time. */
export const diskAlarmRepeatMs = hours(6);
const megabyte = 1024 ** 2;

/**
 * Watches how full the disks of this machine are. Every process does so, because each machine has its own disk. Raises `disk.filling` when
 * a disk is used to `diskAlarmPercent`, again every six hours while it stays so, and at once when it fills up again after it was freed.
 * Nothing else depends on it: a shop whose disk was full goes on as soon as there is space.
 */
export function watchDisks(
  ctx: Pick<Ctx, "alarm" | "log" | "now" | "settings">,
  { disks, registry, measure = statfs }: { disks: Disks; registry: Registry; measure?: Measure },
): { check(): Promise<void>; stop(): void } {
  const { size, free } = diskGauges(registry);
  const raisedAt = new Map<string, number>();

  async function checkOne(disk: string, folder: string): Promise<void> {
    // `bavail` leaves out the blocks reserved for root, as `df` does.
    const { bsize, blocks, bfree, bavail } = await measure(folder);
    const used = blocks - bfree;
    const usedPercent = (used / Math.max(1, used + bavail)) * 100;
    size.set({ disk }, (used + bavail) * bsize);
    free.set({ disk }, bavail * bsize);
    const { diskAlarmPercent } = ctx.settings.limits;
    if (diskAlarmPercent === 0 || usedPercent < diskAlarmPercent) {
      raisedAt.delete(disk);
      return;
    }
    const now = ctx.now().getTime();
    if (now - (raisedAt.get(disk) ?? -Infinity) < diskAlarmRepeatMs) return;
    raisedAt.set(disk, now);
    ctx.alarm("disk.filling", {
      machine: hostname(),
      disk,
      usedPercent: Math.floor(usedPercent),
      freeMegabytes: Math.floor((bavail * bsize) / megabyte),
    });
  }

  async function check(): Promise<void> {
    for (const [disk, folder] of Object.entries(disks)) {
      // A folder that cannot be read must not end the process, which serves without this watch.
      await checkOne(disk, folder).catch((error: unknown) => ctx.log.warn({ err: error, disk }, "a disk cannot be measured"));
    }
  }

  const timer = setInterval(() => void check(), everyMs);
  timer.unref();
  return { check, stop: () => clearInterval(timer) };
}

/** The metrics of the watched disks, bytes. */
export const diskGauges = (registry: Registry) => ({
  size: new Gauge({
    name: "shop_disk_size_bytes",
    help: "Room for data on a disk, used and free",
    labelNames: ["disk"],
    registers: [registry],
  }),
  free: new Gauge({ name: "shop_disk_free_bytes", help: "Free room on a disk", labelNames: ["disk"], registers: [registry] }),
});

type DatabasePlace = { DATABASE_DIR?: string | undefined; DATABASE_URL?: string | undefined; DATABASE_DIRECT_URL?: string | undefined };

/**
 * The disks for `watchDisks`: that of the data folder, and that of PostgreSQL where its folder is known. Logs when the latter is not
 * watched: nothing else would say that no alarm comes from it. The embedded database is in the data folder.
 */
export async function disksToWatch(ctx: Pick<Ctx, "db" | "log">, config: DatabasePlace & { dataDir: string }): Promise<Disks> {
  const database = await databaseFolder(ctx.db, config);
  if (database !== null) return { data: config.dataDir, database };
  if (isOnThisMachine(config)) ctx.log.warn({}, "the disk of PostgreSQL is not watched: name its data folder in DATABASE_DIR");
  else if (config.DATABASE_URL !== undefined) ctx.log.info({}, "the disk of PostgreSQL is on another machine and is not watched from here");
  return { data: config.dataDir };
}

function isOnThisMachine({ DATABASE_DIRECT_URL, DATABASE_URL }: DatabasePlace): boolean {
  const address = DATABASE_DIRECT_URL ?? DATABASE_URL;
  return address !== undefined && ["localhost", "127.0.0.1", "[::1]", ""].includes(new URL(address).hostname);
}

/**
 * The folder on the disk of PostgreSQL: `DATABASE_DIR`, else the server's data folder if it is on this machine. PostgreSQL names the folder
 * to members of `pg_read_all_settings` only; others get no row. Null: the disk cannot be watched from here.
 */
async function databaseFolder(db: Db, config: DatabasePlace): Promise<string | null> {
  if (config.DATABASE_DIR !== undefined) return config.DATABASE_DIR;
  if (!isOnThisMachine(config)) return null;
  const result: unknown = await db.execute(sql`select setting as folder from pg_settings where name = 'data_directory'`);
  const [row] = (result as { rows: { folder: string }[] }).rows;
  return row && existsSync(row.folder) ? row.folder : null;
}
