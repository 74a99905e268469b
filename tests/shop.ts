import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { createSingletons, type AlarmName, type Ctx } from "#shop/context.ts";
import type { Seller } from "#shop/seller.ts";
import type { SellerTax } from "#shop/tax.ts";
import { defaultLimits, type Limits, type ShopIdentity } from "#shop/settings.ts";
import type { MarketCalendar } from "#shop/rates/calendar.ts";
import type { OfficeHours } from "#shop/working-hours.ts";
import { silentLog } from "#kit/log.ts";
import { createSecrets } from "#kit/security/secrets.ts";
import { plus } from "#kit/time.ts";
import { schemaFingerprint } from "#main/database/database.ts";
import { openPglite } from "#main/database/pglite.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { openQueue, type JobHandlers } from "#main/database/queue.ts";

export type TestClock = { now: () => Date; advance(milliseconds: number): void; set(at: Date): void };
export type TestShop = {
  ctx: Ctx;
  clock: TestClock;
  /** Alarms raised so far, oldest first. */
  alarms: { name: AlarmName; fields: Record<string, string | number> | undefined }[];
  url: string;
  /** Runs the queued jobs until none is left; a job without a handler is an error. */
  drain(handlers: JobHandlers<Ctx>): Promise<number>;
  /** The same shop seen by a second process: its own pool and caches, the same database and clock. */
  another(): Promise<Ctx>;
  close(): Promise<void>;
};

/** A Friday noon in Moscow, when the exchange is open. */
export const aFridayNoon = new Date("2026-11-20T09:00:00Z");

export function testClock(start: Date = aFridayNoon): TestClock {
  let at = start;
  return {
    now: () => at,
    advance: (milliseconds) => {
      at = plus(at, milliseconds);
    },
    set: (to) => {
      at = to;
    },
  };
}

export const testIdentity: ShopIdentity = {
  name: "Чекан",
  placeholders: {},
  phones: [{ display: "+7 495 000-00-00", href: "tel:+74950000000" }],
  supportExtension: "2",
  email: "info@chekan.example",
  address: "Москва, ул. Монетная, 1",
  hours: ["Понедельник — четверг 10–18", "Пятница 10–17"],
  messengers: [],
  ratings: [],
};

/** A seller with VAT. */
export const testTax: SellerTax = { system: "general", simplifiedVatPercent: null, prepaymentVat: "computed", sendsTaxSystem: false };

export const testSeller: Seller = {
  name: "ООО «Чекан»",
  inn: "7700000009",
  kpp: "770001001",
  address: "Москва, ул. Монетная, 1",
  bank: "АО «Демонстрационный банк»",
  bic: "044525999",
  account: "40702810600000000001",
  corrAccount: "30101810600000000999",
  tax: testTax,
};

/** Monday to Friday, daytime in Moscow. */
export const testMarket: MarketCalendar = {
  sessions: [{ days: ["Mon", "Tue", "Wed", "Thu", "Fri"], from: "07:00", till: "19:00" }],
  closed: ["2026-12-31"],
  extra: [],
};

/** As the settings file has them. */
const testOfficeHours: OfficeHours = [
  { days: ["Mon", "Tue", "Wed", "Thu"], from: "10:00", till: "18:00" },
  { days: ["Fri"], from: "10:00", till: "17:00" },
];

/** A gateway for tests that must not call out: every method throws. */
export function unplugged<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: (_, method) => () => {
      throw new Error(`${name}.${String(method)} is not plugged in this test`);
    },
  });
}

/**
 * A shop without HTTP on its own PostgreSQL database (a clone of a migrated template): transactions really commit, connections are really
 * parallel, and the clock does not move by itself.
 */
export async function testShop(
  options: {
    gateways?: Partial<Ctx["gateways"]>;
    limits?: Partial<Limits>;
    isDemo?: boolean;
    at?: Date;
    clock?: TestClock;
    connections?: number;
    /** On PGlite: one connection, so a query outside of a running transaction would deadlock. */
    isEmbedded?: boolean;
  } = {},
): Promise<TestShop> {
  const url = options.isEmbedded ? null : await freshDatabase();
  const clock = options.clock ?? testClock(options.at);
  const alarms: TestShop["alarms"] = [];
  const database = url ? openPostgres(url, { log: silentLog, max: options.connections ?? 20 }) : await openPglite("memory://");
  if (!url) await database.migrate();
  const queue = await openQueue(database, { log: silentLog, supervise: false });
  const ctx: Ctx = {
    db: database.db,
    actor: { kind: "staff", name: "test" },
    now: clock.now,
    enqueue: queue.enqueue,
    log: silentLog,
    alarm: (name, fields) => alarms.push({ name, fields }),
    gateways: {
      sms: unplugged("sms"),
      email: unplugged("email"),
      payment: unplugged("payment"),
      delivery: unplugged("delivery"),
      rates: unplugged("rates"),
      bankStatements: unplugged("bankStatements"),
      pictures: unplugged("pictures"),
      accounting: unplugged("accounting"),
      ...options.gateways,
    },
    settings: {
      shop: testIdentity,
      seller: testSeller,
      // A busy machine must not turn an answer into 503.
      limits: { ...defaultLimits, requestDeadlineMs: 60_000, ...options.limits },
      publicUrl: "http://localhost:3000",
      market: testMarket,
      office: testOfficeHours,
      courier: [],
      mapScriptUrl: null,
      passwordCost: { logN: 8, r: 8, p: 1 }, // a hundredth of the production cost
    },
    secrets: createSecrets({ common: ["a-secret-of-the-tests-0123456789abcdef"], own: {} }),
    isDemo: options.isDemo ?? true,
    singleton: createSingletons(),
  };
  const closers = [() => queue.stop(), () => database.close()];
  return {
    ctx,
    clock,
    alarms,
    url: url ?? "",
    drain: (handlers) => queue.drain(ctx, handlers),
    async another() {
      if (!url) throw new Error("the embedded database belongs to one process");
      const second = openPostgres(url, { log: silentLog, max: 10 });
      closers.push(() => second.close());
      return { ...ctx, db: second.db, settings: structuredClone(ctx.settings), singleton: createSingletons() };
    },
    async close() {
      for (const close of closers) await close();
      if (url) await admin((client) => client.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`));
    },
  };
}

async function admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${database}`;
  return url.href;
}

/** A new database with the schema of the migrations, cloned in about 100 ms; returns its address. */
export async function freshDatabase(): Promise<string> {
  const template = `chekan_${schemaFingerprint()}`;
  const name = `t_${randomBytes(8).toString("hex")}`;
  await admin(async (client) => {
    await client.query("select pg_advisory_lock(5150)"); // one file creates the template, the others wait for it
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1 and datallowconn", [template]);
    if (rowCount === 0) {
      await client.query(`drop database if exists ${template}_draft`);
      await client.query(`create database ${template}_draft`);
      const draft = openPostgres(urlOf(`${template}_draft`), { log: silentLog });
      await draft.migrate();
      const queue = await openQueue(draft, { log: silentLog, supervise: false });
      await queue.stop();
      await draft.close();
      await client.query(`alter database ${template}_draft rename to ${template}`);
    }
    // The template is small: copying its files takes less than half of what logging each page takes.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return urlOf(name);
}
