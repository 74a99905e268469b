import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import { accountingAccess, accountingUrl } from "./accounting.ts";
import { ConfigError, readConfig, type Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { openPglite } from "./database/pglite.ts";
import { openPostgres } from "./database/postgres.ts";
import { configuredOptions, pgliteFolder } from "./database/configured-database.ts";
import { reportFaults } from "./log/fault-reports.ts";
import { lockFolder } from "./process/folder-lock.ts";
import type { Log } from "#kit/log.ts";
import { createLog } from "./log/log.ts";
import { buildVersion } from "./pages/build-folder.ts";
import { createShutdown, shutdownStep, type Shutdown } from "./process/shutdown.ts";

/** A fault that the person who starts the shop can fix; printed as one line. */
export class StartError extends Error {}

const started = performance.now();
/** One line of progress with the seconds since the start. */
const printProgress = (line: string): void => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

async function withProgress<T>(what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  printProgress(`${what} (${((performance.now() - from) / 1000).toFixed(1)} s)`);
  return result;
}

/** `npm start` is the demo unless `SHOP_DEMO=0`; `npm run serve` never is. */
function environment(): NodeJS.ProcessEnv {
  const isServe = process.argv.includes("--serve");
  return { ...process.env, SHOP_DEMO: isServe ? "0" : (process.env.SHOP_DEMO ?? "1") };
}

/** The variables of one of the two listeners. */
type Listener = { portName: "PORT" | "STAFF_PORT"; hostName: "HOST" | "STAFF_HOST" };
const shopListener: Listener = { portName: "PORT", hostName: "HOST" };
const officeListener: Listener = { portName: "STAFF_PORT", hostName: "STAFF_HOST" };

async function refuseTakenPort(config: Config, { portName, hostName }: Listener): Promise<void> {
  const [port, host] = [config[portName], config[hostName]];
  if (port === 0 || port === null) return;
  const addresses = await lookup(host, { all: true }).catch(() => {
    throw new StartError(`${hostName}: ${host} is no address of this machine`);
  });
  for (const { address } of addresses) await tryToListen(port, address, portName);
}

function tryToListen(port: number, address: string, portName: string): Promise<void> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, port, address, portName)));
    probe.listen(port, address, () => probe.close(() => resolve()));
  });
}

const cannotListen = (error: NodeJS.ErrnoException, port: number, address: string, portName: string): StartError =>
  new StartError(
    error.code === "EADDRINUSE"
      ? `port ${port} on ${address} is in use: stop the other program or set ${portName}`
      : `cannot listen on ${address}:${port}: ${error.message}`,
  );

/** Another process took one of the two ports after it was tried. */
function listenFault(error: NodeJS.ErrnoException & { port?: number }, config: Config): StartError {
  const { portName, hostName } = error.port === config.STAFF_PORT ? officeListener : shopListener;
  return cannotListen(error, config[portName] ?? 0, config[hostName], portName);
}

/** PGlite's folder belongs to one process at a time; PostgreSQL needs no lock. */
async function lockDataFolder(config: Config): Promise<() => Promise<void>> {
  if (config.DATABASE_URL) return async () => {};
  const lock = await lockFolder(pgliteFolder(config.dataDir));
  if (!lock) throw new StartError(`another process uses the data folder ${config.dataDir}: stop it or set DATA_DIR`);
  return lock.release;
}

async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (!config.DATABASE_URL) return openPglite(pgliteFolder(config.dataDir));
  const database = openPostgres(config.DATABASE_URL, configuredOptions(config, { log, max: config.DATABASE_POOL }));
  for (const giveUpAt = performance.now() + config.DATABASE_WAIT_SECONDS * 1000; !(await database.isReachable());) {
    if (performance.now() > giveUpAt) {
      throw new StartError(
        `the database does not answer at ${hostOf(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL)} ` +
          `(${config.DATABASE_DIRECT_URL ? "DATABASE_DIRECT_URL" : "DATABASE_URL"}; waited ${config.DATABASE_WAIT_SECONDS} s)`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return database;
}

/** Host and database, without the password. */
const hostOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
};

export type RunSource = {
  /** Makes what is not up to date; returns the names of what it made. */
  prepare?: () => Promise<string[]>;
  /** The module with the built pages, if it is not that of the build folder. */
  pages?: string;
};

async function start({ prepare = async () => [], pages }: RunSource): Promise<void> {
  process.env.NODE_ENV ??= "production"; // set before React is loaded
  const config = readConfig(environment());
  const { log, flush } = await reportFaults(createLog(config.logLevel), config.SENTRY_DSN, buildVersion());
  const shutdown = createShutdown(log);
  shutdown.opened(() => shutdownStep("rest", flush(), log));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void shutdown.stop(signal));
  // A signal closes what a start has opened so far; what fails because of that is not a fault of the start.
  await open({ config, log, shutdown, prepare, pages }).catch(async (error: unknown) => {
    if (!shutdown.isStopping()) throw error;
    log.debug({ err: error }, "the start was broken off");
  });
}

/** Opens the database and brings its schema up to date. */
async function openCurrentDatabase(config: Config, log: Log, shutdown: Shutdown): Promise<Database> {
  const database = await withProgress(config.DATABASE_URL ? "database reached" : "embedded database opened", async () => {
    const opened = await openDatabase(config, log);
    shutdown.opened(() => shutdownStep("database", opened.close(), log));
    return opened;
  });
  await withProgress("schema is current", () => database.migrate());
  const missing = await database.missingLimits();
  if (missing.length > 0)
    log.warn({ missing }, "connections of the pooler lack limits: send RECONNECT on its console, or check the role of DATABASE_URL");
  return database;
}

/** Opens the database and the shop, each with its part of the shutdown. */
async function open(
  parts: Required<Pick<RunSource, "prepare">> & Pick<RunSource, "pages"> & { config: Config; log: Log; shutdown: Shutdown },
) {
  const { config, log, shutdown, prepare, pages } = parts;
  if (config.PORT !== 0 && config.PORT === config.STAFF_PORT) throw new StartError("STAFF_PORT: must be another port than PORT");
  const hasOffice = config.PROCESS !== "worker" && config.STAFF_PORT !== null;
  const listeners = hasOffice ? [shopListener, officeListener] : [shopListener];
  for (const listener of listeners) await refuseTakenPort(config, listener);
  printProgress(config.isDemo ? "starting the demo shop" : "starting the shop");
  const release = await lockDataFolder(config);
  shutdown.opened(() => shutdownStep("rest", release(), log));
  // Modules are loaded while the database answers.
  const [database, { startShop }] = await Promise.all([
    openCurrentDatabase(config, log, shutdown),
    (config.PROCESS === "worker" ? Promise.resolve([]) : prepare()).then((built) => {
      if (built.length > 0) printProgress(`${built.join(" and ")} built`);
      return import("./server.ts"); // after the build, which it loads
    }),
  ]);
  const shop = await startShop({ config, log, database, progress: printProgress, pages }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === "listen" ? listenFault(error, config) : error;
  });
  shutdown.opened(shop.stop);
  printProgress(`ready: ${shop.url}`);
  if (shop.officeUrl !== null) printProgress(`office: ${shop.officeUrl}`);
  if (config.isDemo) {
    printProgress(`messages (SMS codes, mail): ${outboxAddress(config, shop.url)}`);
    const access = accountingAccess(config);
    if (access) printProgress(`exchange with 1C: ${accountingUrl(shop.ctx, config)} (login ${access.login}, password ${access.password})`);
  }

  // Last resort: log, drain, and let the supervisor restart the process.
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "uncaught");
    process.exitCode = 1;
    void shutdown.stop("uncaughtException");
  });
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
}

/** How messages are read on this machine. Demo paths are closed behind a proxy, and the shop answers under the host of `PUBLIC_URL` alone. */
export function outboxAddress({ PUBLIC_URL }: Pick<Config, "PUBLIC_URL">, url: string): string {
  const address = `${url}/_demo/outbox`;
  return PUBLIC_URL === undefined ? address : `curl -H 'Host: ${new URL(PUBLIC_URL).host}' ${address}`;
}

/** Starts the shop and stops it on a signal. What prevents the start is printed, one line each, and ends the process with 1. */
export function run(source: RunSource): Promise<void> {
  return start(source).catch((error: unknown) => {
    const isExpected = error instanceof ConfigError || error instanceof StartError;
    console.error(
      isExpected
        ? error.message.replaceAll(/^/gm, "cannot start: ")
        : `cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    process.exit(1);
  });
}
