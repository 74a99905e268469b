import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startCdekSimulator, type CdekSimulator } from "#integrations/cdek/simulator.ts";
import { startSmtpSimulator, type SmtpSimulator } from "#integrations/email/simulator.ts";
import { startRateSourceSimulator, type RateSourceSimulator } from "#integrations/rate-source/simulator.ts";
import { startSmsSimulator, type SmsSimulator } from "#integrations/sms/simulator.ts";
import { startYookassaSimulator, type YookassaSimulator } from "#integrations/yookassa/simulator.ts";
import { silentLog } from "#kit/log.ts";
import { fromRoubles } from "#kit/money.ts";
import { plus } from "#kit/time.ts";
import type { Database } from "#main/database/database.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { startFaultProxy, type FaultProxy } from "#tests/fault-proxy.ts";
import { stockManyPieces } from "../../bench/load/pieces.ts";
import type { Pooler } from "../database/pgbouncer.ts";
import { freePort, startOwnPostgres, type OwnServer } from "#tests/postgres.ts";
import { writeRealSettings } from "#tests/real-settings.ts";
import { runShop, withoutRateLimits, withoutReserveLimits, type RunningShop } from "#tests/running-shop.ts";

/** See small-disk.ts. */
type SmallDisk = { folder: string; tablesFor(dataFolder: string): string };

/** One process of the shop that can be stopped and restarted on the same port. */
export type Member = {
  url: string;
  officeUrl: string;
  pid(): number;
  /** `kill -9`, then a new process; resolves with the milliseconds that it was down. */
  crash(): Promise<number>;
  /** A graceful stop and a new process, as in a deployment: with the same build, or with another one from then on. */
  restart(buildFolder?: string): Promise<void>;
  advance(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
};

export type Stage = {
  members: readonly Member[];
  /** Of the processes that serve pages. */
  urls: readonly string[];
  /** The environment of the processes, for commands beside them. */
  env: Record<string, string>;
  payment: YookassaSimulator;
  sms: SmsSimulator;
  cdek: CdekSimulator;
  rates: RateSourceSimulator;
  mail: SmtpSimulator;
  /** The test's own connections, which bypass `line`. */
  database: Database;
  server: OwnServer;
  /** The proxy between the shops and their database. */
  line: FaultProxy;
  /** Advances all clocks: shops and providers. */
  advance(milliseconds: number): Promise<void>;
  /** The broken invariants of money and stock, also against the provider; empty if all hold. */
  broken(): Promise<string[]>;
  close(): Promise<void>;
};

export type StageOptions = {
  /** 2 by default. */
  processes?: number;
  /** No acknowledged write is lost when the server is stopped: for tests that stop it. */
  durable?: boolean;
  /** Further environment variables of the shops. */
  env?: Record<string, string>;
  /** Without the proxy between shops and database: for measurements. */
  isDirect?: boolean;
  /** A small disk for the shop's tables and caches. */
  disk?: SmallDisk | null;
  /** Instead of a new server; it is stopped with the stage. */
  server?: OwnServer;
  /** Starts a pooler before the database, for the shops; its direct address is that of `line`. */
  pooler?: (database: URL) => Promise<Pooler>;
  /** What each process does (`PROCESS`), in their order; everything by default. */
  roles?: readonly ("all" | "web" | "office" | "worker")[];
};

/** Limits per visitor are off, because the test plays all visitors from one address. */
const withoutLimits: Record<string, string> = {
  ...withoutRateLimits,
  ...withoutReserveLimits,
  ...Object.fromEntries(
    [
      "UNPAID_ORDERS",
      "CODES_PER_ADDRESS_HOUR",
      "CODES_PER_NETWORK_HOUR",
      "WRONG_CODES_PER_ADDRESS_HOUR",
      "SMS_BUDGET_MINUTE",
      "SMS_BUDGET_DAY",
      "INQUIRIES_PER_ADDRESS_HOUR",
    ].map((name) => [name, "100000000"]),
  ),
};

/** What the processes of a shop need around them, and their environment (without port, address and data folder). */
export type Surroundings = Omit<Stage, "members" | "urls" | "advance"> & {
  folder: string;
  /** How far the simulators' clocks are ahead. */
  moved(): number;
  move(milliseconds: number): void;
};

/** One PostgreSQL and simulated providers outside the shop's processes, so that they survive them. */
export async function openSurroundings({
  durable = false,
  env: more = {},
  disk = null,
  isDirect = false,
  server: given,
  pooler: startPooler,
}: Omit<StageOptions, "processes" | "roles"> = {}): Promise<Surroundings> {
  let moved = 0;
  const now = () => plus(new Date(), moved);
  const server = given ?? (await startOwnPostgres({ durable }));
  const databaseUrl = await newDatabase(server, disk);
  const line = await startFaultProxy({ host: "127.0.0.1", port: Number(databaseUrl.port) });
  const address = isDirect ? databaseUrl.href : throughLine(databaseUrl, line);
  const pooler = await startPooler?.(new URL(address));
  const yookassa = { shopId: "100500", secretKey: "test_drill" };
  const [payment, sms, cdek, rates, mail] = await Promise.all([
    startYookassaSimulator({ now, ...yookassa }),
    startSmsSimulator({ now }),
    startCdekSimulator({ now }),
    startRateSourceSimulator({ now }),
    startSmtpSimulator({ now }),
  ]);
  const folder = mkdtempSync(join(disk?.folder ?? tmpdir(), "chekan-drill-"));
  const env = {
    // Alarms of late and duplicate payments are expected here and would flood the output.
    LOG_LEVEL: process.env.DRILL_LOG_LEVEL ?? "silent",
    SHOP_DEMO: "0",
    SHOP_SETTINGS: writeRealSettings(folder),
    MAIL_FROM: "Чекан <orders@chekan.trial>",
    DATABASE_URL: pooler?.url ?? address,
    ...(pooler ? { DATABASE_DIRECT_URL: address } : {}),
    SESSION_SECRET: "a-secret-of-the-drill-0123456789abcdef",
    RATES_POLL_SECONDS: "5",
    DRAIN_SECONDS: "0",
    ASSETS_DIR: join(folder, "assets"),
    // A busy machine must not look like a failure; measurements use the shop's own limit.
    ...(isDirect ? {} : { OVERLOAD_DELAY_MS: "10000" }),
    YOOKASSA_BASE_URL: `${payment.url}/v3`,
    YOOKASSA_SHOP_ID: yookassa.shopId,
    YOOKASSA_SECRET_KEY: yookassa.secretKey,
    YOOKASSA_PAYMENT_PAGE_ORIGIN: payment.url,
    SMSRU_BASE_URL: sms.url,
    SMSRU_API_ID: "drill",
    CDEK_BASE_URL: cdek.url,
    CDEK_CLIENT_ID: "drill",
    CDEK_CLIENT_SECRET: "drill",
    MOEX_ISS_BASE_URL: rates.moexUrl,
    CBR_BASE_URL: rates.cbrUrl,
    SMTP_URL: mail.url,
    ...withoutLimits,
    ...more,
  };
  const database = openPostgres(databaseUrl.href, { log: silentLog, max: 3 });
  return {
    env,
    folder,
    payment,
    sms,
    cdek,
    rates,
    mail,
    database,
    server,
    line,
    moved: () => moved,
    move(milliseconds) {
      moved += milliseconds;
    },
    broken: () =>
      checkLedger(
        database.db,
        payment.payments().map((each) => ({
          id: each.id,
          amount: fromRoubles(each.amount),
          refunded: fromRoubles(each.refunded),
          isTaken: each.status === "succeeded",
        })),
      ),
    async close() {
      await Promise.allSettled([payment, sms, cdek, rates, mail].map((each) => each.close()));
      await database.close();
      await pooler?.stop();
      await line.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A shop as in production: its surroundings, and processes without demo. Buyers of some minutes do not sell out a coin. */
export async function openStage({ processes = 2, roles = [], ...options }: StageOptions = {}): Promise<Stage> {
  const { env, folder, moved, move, ...around } = await openSurroundings(options);
  const members: Member[] = [];
  // the first process fills the empty shop
  for (let n = 1; n <= processes; n += 1)
    members.push(await member({ ...env, PROCESS: roles[n - 1] ?? "all", DATA_DIR: join(folder, String(n)) }, moved));
  await stockManyPieces(around.database);
  const urls = members.filter((_, n) => !/^(worker|office)$/.test(roles[n] ?? "")).map((each) => each.url);
  around.payment.setNotificationUrl(`${urls.at(-1) ?? ""}/api/payments/yookassa/webhook`);
  return {
    ...around,
    env: { ...env, DATA_DIR: join(folder, "command"), PUBLIC_URL: urls[0] ?? "" },
    members,
    urls,
    async advance(milliseconds) {
      move(milliseconds);
      await Promise.all(members.map((each) => each.advance(milliseconds)));
    },
    async close() {
      around.line.setFault({ kind: "none" });
      await Promise.all(members.map((each) => each.stop()));
      await around.close();
    },
  };
}

function throughLine(url: URL, { port }: FaultProxy): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}

async function member(env: Record<string, string>, moved: () => number): Promise<Member> {
  const port = String(await freePort());
  let build: Record<string, string> = {};
  const start = async (): Promise<RunningShop> => {
    const shop = await runShop({ ...env, ...build, PORT: port, PUBLIC_URL: `http://localhost:${port}` });
    if (moved() > 0) await shop.advance(moved());
    return shop;
  };
  let shop = await start();
  return {
    url: shop.url,
    officeUrl: shop.officeUrl,
    pid: () => shop.pid,
    async crash() {
      const from = performance.now();
      await shop.kill("SIGKILL");
      shop = await start();
      return performance.now() - from;
    },
    async restart(buildFolder) {
      if (buildFolder !== undefined) build = { BUILD_FOLDER: buildFolder };
      await shop.stop();
      shop = await start();
    },
    advance: (milliseconds) => shop.advance(milliseconds),
    stop: () => shop.stop(),
  };
}

async function newDatabase(server: OwnServer, disk: SmallDisk | null): Promise<URL> {
  const name = `drill_${process.pid}`;
  const client = new Client({ connectionString: server.url });
  await client.connect();
  if (disk) await client.query(`create tablespace small location '${disk.tablesFor(server.dataFolder)}'`);
  await client.query(`create database ${name}${disk ? " tablespace small" : ""}`);
  await client.end();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url;
}
