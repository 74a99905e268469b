import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { startSmtpSimulator } from "#integrations/email/simulator.ts";
import { startRateSourceSimulator } from "#integrations/rate-source/simulator.ts";
import { startSmsSimulator } from "#integrations/sms/simulator.ts";
import { startYookassaSimulator, type YookassaSimulator } from "#integrations/yookassa/simulator.ts";
import { silentLog } from "#kit/log.ts";
import { fromRoubles } from "#kit/money.ts";
import { plus } from "#kit/time.ts";
import { openPostgres, type Database } from "#main/database.ts";
import { checkLedger } from "#main/ledger.ts";
import { freePort, startPostgres } from "#tests/postgres.ts";
import { runShop, type RunningShop } from "#tests/running-shop.ts";

/** One process of the shop that may be killed and comes back on the same port. */
type Member = {
  url: string;
  /** `kill -9`, then a new process; resolves with the milliseconds that it was away. */
  crash(): Promise<number>;
  advance(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
};

export type Stage = {
  members: [Member, Member];
  payment: YookassaSimulator;
  database: Database;
  /** Moves every clock: shops and providers. */
  advance(milliseconds: number): Promise<void>;
  /** The invariants of the books, against the provider's too; empty when all is well. */
  broken(): Promise<string[]>;
  close(): Promise<void>;
};

const limits = ["REQUESTS_PER_MINUTE", "WRITES_PER_MINUTE", "QUOTES_PER_MINUTE", "ORDERS_PER_MINUTE", "SEARCHES_PER_MINUTE", "UNPAID_ORDERS"];

/**
 * A shop as it would be run for real: one PostgreSQL, providers of its own (simulated, outside the shop's processes, so that they live on
 * when those die), two processes without demo.
 */
export async function openStage(): Promise<Stage> {
  let moved = 0;
  const now = () => plus(new Date(), moved);
  const server = await startPostgres();
  const databaseUrl = await newDatabase(server.url);
  const yookassa = { shopId: "100500", secretKey: "test_drill" };
  const [payment, sms, cdek, rates, mail] = await Promise.all([
    startYookassaSimulator({ now, ...yookassa }), startSmsSimulator({ now }), startCdekSimulator({ now }), startRateSourceSimulator({ now }), startSmtpSimulator({ now }),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "chekan-drill-"));
  const env = {
    // Alarms of late and second money are expected here and would fill the screen.
    LOG_LEVEL: process.env.DRILL_LOG_LEVEL ?? "silent",
    SHOP_DEMO: "0", DATABASE_URL: databaseUrl, SESSION_SECRET: "a-secret-of-the-drill-0123456789abcdef", RATES_POLL_SECONDS: "5",
    YOOKASSA_BASE_URL: `${payment.url}/v3`, YOOKASSA_SHOP_ID: yookassa.shopId, YOOKASSA_SECRET_KEY: yookassa.secretKey, YOOKASSA_PAYMENT_PAGE_ORIGIN: payment.url,
    SMSRU_BASE_URL: sms.url, SMSRU_API_ID: "drill", CDEK_BASE_URL: cdek.url, CDEK_CLIENT_ID: "drill", CDEK_CLIENT_SECRET: "drill",
    MOEX_ISS_BASE_URL: rates.moexUrl, CBR_BASE_URL: rates.cbrUrl, SMTP_URL: mail.url,
    ...Object.fromEntries(limits.map((name) => [name, "100000000"])),
  };
  const first = await member({ ...env, DATA_DIR: join(folder, "1") }, () => moved); // fills the empty shop
  const second = await member({ ...env, DATA_DIR: join(folder, "2") }, () => moved);
  payment.setNotificationUrl(`${second.url}/api/payments/yookassa/webhook`);
  const database = openPostgres(databaseUrl, { log: silentLog, max: 3 });

  return {
    members: [first, second], payment, database,
    async advance(milliseconds) {
      moved += milliseconds;
      await Promise.all([first, second].map((each) => each.advance(milliseconds)));
    },
    broken: () => checkLedger(database.db, payment.payments().map((each) => ({
      id: each.id, amount: fromRoubles(each.amount), refunded: fromRoubles(each.refunded), isTaken: each.status === "succeeded",
    }))),
    async close() {
      await Promise.all([first, second].map((each) => each.stop()));
      await Promise.allSettled([payment, sms, cdek, rates, mail].map((each) => each.close()));
      await database.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function member(env: Record<string, string>, moved: () => number): Promise<Member> {
  const port = String(await freePort());
  const start = async (): Promise<RunningShop> => {
    const shop = await runShop({ ...env, PORT: port });
    if (moved() > 0) await shop.advance(moved());
    return shop;
  };
  let shop = await start();
  return {
    url: shop.url,
    async crash() {
      const from = performance.now();
      await shop.kill("SIGKILL");
      shop = await start();
      return performance.now() - from;
    },
    advance: (milliseconds) => shop.advance(milliseconds),
    stop: () => shop.stop(),
  };
}

async function newDatabase(serverUrl: string): Promise<string> {
  const name = `drill_${process.pid}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
