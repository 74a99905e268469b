import { fork, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIfNeeded } from "#main/build.ts";
import { limitVariable } from "#main/config.ts";
import { defaultLimits } from "#shop/settings.ts";

/** One machine plays all visitors, so limits of requests and streams are off. */
export const withoutRateLimits: Record<string, string> = Object.fromEntries(
  Object.keys(defaultLimits)
    .filter((name) => /PerMinute$|^streamsPer/.test(name))
    .map((name) => [limitVariable(name), "100000000"]),
);

/** One address plays all buyers, so limits of reservations and messages are off. */
export const withoutReserveLimits: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(defaultLimits)
      .filter((name) => /^reserved|^addressShare/.test(name))
      .map((name) => [limitVariable(name), "0"]),
  ),
  ...Object.fromEntries(
    Object.keys(defaultLimits)
      .filter((name) => /^order(Sms|Letters|Messages)Per|^cancelledOrders$/.test(name))
      .map((name) => [limitVariable(name), "1000000"]),
  ),
};

export type RunningShop = {
  url: string;
  /** Address of the back office. */
  officeUrl: string;
  /** Moves the shop's clock (and its simulators') forward. */
  advance(milliseconds: number): Promise<void>;
  pid: number;
  /** The broken invariants of its stock and money, one line each. */
  checkLedger(): Promise<string[]>;
  /** `SIGKILL` is a crash; other signals are a graceful stop. Resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Folder of picture variants of earlier journeys (only under Playwright, which numbers its workers). A browser opens six connections to a
 * host; with slow encoding on a busy machine the data of the next page waited behind pictures longer than a journey does.
 */
const journeyPictures = join(import.meta.dirname, "../node_modules/.cache/journey-pictures");

let built: Promise<unknown> | null = null;

/**
 * The whole shop in its own process, as `npm start` runs it, with a clock that can be moved. Without `env.DATABASE_URL` it uses an embedded
 * database in a temporary folder. Pages that are not built, or not from the present sources, are built first (once in this process; for
 * journeys `npm test` has done it).
 */
export async function runShop(env: Record<string, string> = {}): Promise<RunningShop> {
  if (process.env.TEST_WORKER_INDEX === undefined) await (built ??= buildIfNeeded());
  const folder = mkdtempSync(join(tmpdir(), "chekan-shop-"));
  if (process.env.TEST_WORKER_INDEX !== undefined) {
    mkdirSync(journeyPictures, { recursive: true });
    symlinkSync(journeyPictures, join(folder, "media-cache"));
  }
  const child = fork(join(import.meta.dirname, "run-shop.ts"), [], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      SHOP_DEMO: "1",
      PORT: "0",
      STAFF_PORT: "0",
      DATA_DIR: folder,
      LOG_LEVEL: "warn",
      // The disk of the machine is not what a test is about.
      DISK_ALARM_PERCENT: "0",
      ...env,
    },
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { url, officeUrl } = await answer<{ url: string; officeUrl: string }>(child, "ready");
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url,
    officeUrl,
    pid: child.pid ?? 0,
    async advance(milliseconds) {
      const moved = answer(child, "advanced");
      child.send({ advance: milliseconds });
      await moved;
    },
    async checkLedger() {
      if (!child.connected) throw new Error("the shop has ended");
      const checked = answer<{ broken: string[] }>(child, "checked");
      child.send({ ledger: true });
      return (await checked).broken;
    },
    async kill(signal) {
      child.kill(signal);
      await gone;
    },
    async stop() {
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answer<T>(child: ChildProcess, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the shop ended with ${code} before it was ${kind}`));
    const onMessage = (message: unknown) => {
      if ((message as { kind?: string }).kind !== kind) return;
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(message as T);
    };
    child.on("message", onMessage);
    child.once("exit", onExit);
  });
}
