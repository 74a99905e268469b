/**
 * The fault matrix: each dependency is broken in each way, and every action of visitors is tried. A cell names the
 * permitted statuses and times; every refusal has a Russian message; after the fault everything works again within a minute, without a
 * restart. Where a purchase must still work, a browser makes one. `--short`: one fault of each, for the gate (round trips of each call are
 * counted in src/http/round-trips.test.ts). `--only <row>`: that row alone; `DRILL_SLOW_MS`: delay of the slow database for each answer
 * (100).
 */
import { existsSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { faultModes, type FaultMode } from "#integrations/faults.ts";
import { startMapsSimulator } from "#integrations/yandex-maps/simulator.ts";
import { minutes, seconds } from "#kit/time.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { columns, gatherPeople, publicPages, tryColumn, type Column, type People } from "./visitors/columns.ts";
import { startPictureOrigin, type PictureOrigin } from "./machines/picture-origin.ts";
import { drill, isShort, leaveOut, pause, say } from "./stage/run.ts";
import { coinsFor } from "./visitors/crowd.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import { aVisitor, type RecordedCall } from "./visitors/visitor.ts";
import { mountSmallDisk, type SmallDisk } from "./database/small-disk.ts";
import { openBrowser, walkPurchase } from "./visitors/walk.ts";

const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : undefined;
/** An unaffected call takes at most this long, whatever is broken beside it. */
const ordinaryMs = 5_000;
/** The circuit breaker's pause, on the shop's clock; sweeps run by real seconds. */
const afterBreaker = seconds(31);
const recoveryMs = 60_000;
/** Delay between shop and database in the row of the slow database, for each answer. */
const slowLineMs = Number(process.env.DRILL_SLOW_MS ?? 100);
/** Too slow for most calls: they are answered with 503 before the deadline of a request. */
const verySlowLineMs = 500;
const requestDeadline = 3_000;

type MapsSimulator = Awaited<ReturnType<typeof startMapsSimulator>>;
type TestCoins = { coin: number; slug: string; bullion: number };
type Bench = { stage: Stage; origin: PictureOrigin; maps: MapsSimulator; browser: Browser; disk: SmallDisk | null; goods: TestCoins };
type Mode = FaultMode | "down" | "far" | "very far" | "full";
/** The permitted results of a column; by default 200 or 201 in ordinary time. `code`: of a refusal. */
type Expectation = { statuses: number[]; withinMs: number; code?: string };
type Row = {
  name: string;
  modes: readonly Mode[];
  inGate: Mode;
  set(bench: Bench, mode: Mode | "ok"): void;
  expected?: (mode: Mode) => Partial<Record<Column, Expectation>>;
  /** Further checks while the fault lasts. */
  also?: (bench: Bench, mode: Mode) => Promise<string[]>;
  /** Further checks after the fault. */
  afterwards?: (bench: Bench, mode: Mode) => Promise<string[]>;
  walks: boolean;
  /** Why this row cannot be tested here. */
  impossible?: (bench: Bench) => string | null;
};

const broken = faultModes.filter((mode) => mode !== "ok");
const ok = (withinMs = ordinaryMs): Expectation => ({ statuses: [200, 201], withinMs });
const refused = (withinMs: number, code = "service.unavailable"): Expectation => ({ statuses: [503], withinMs, code });
const all = (expectation: Expectation, but: Partial<Record<Column, Expectation>> = {}): Partial<Record<Column, Expectation>> => ({
  ...Object.fromEntries(columns.map((each) => [each, expectation])),
  ...but,
});

const rows: Row[] = [
  {
    name: "rates",
    modes: broken,
    inGate: "garbage",
    walks: true,
    set: ({ stage }, mode) => stage.rates.setFault(mode as FaultMode),
    async also({ stage, goods }, mode) {
      if (mode === "slow") return [];
      const wrong: string[] = [];
      const visitor = aVisitor(stage.urls[0] ?? "");
      const isStale = async () => (JSON.parse((await visitor.request("GET", "/api/courses")).text) as { stale?: boolean }).stale === true;
      await stage.advance(minutes(4));
      if (!(await until(isStale, 5_000))) wrong.push("after four minutes without rates they are not shown as stale");
      const [bought, refusedOne] = [await gatherPeople(stage, goods), aVisitor(stage.urls[0] ?? "")];
      await refusedOne.request("PATCH", `/api/cart/${goods.bullion}`, { quantity: 1 });
      await stage.advance(minutes(7));
      const dead = await refusedOne.request("POST", "/api/checkout/quote", {
        deliveryId: deliveryIds.office,
        city: "0000073738",
        paymentId: paymentIds.card,
      });
      if (dead.status !== 409 || dead.code !== "rates.stale" || !isRussian(dead.text))
        wrong.push(`eleven minutes without rates: a quote of bullion was answered with ${dead.status} ${dead.code}`);
      const pages = await tryColumn(stage, bought, "pages", goods);
      const ordered = await tryColumn(stage, bought, "order", goods);
      return [...wrong, ...judge("rates silent, pages", pages, ok()), ...judge("rates silent, an order with a live quote", ordered, ok())];
    },
    async afterwards({ stage }) {
      const visitor = aVisitor(stage.urls[0] ?? "");
      const isFresh = async () => (JSON.parse((await visitor.request("GET", "/api/courses")).text) as { stale?: boolean }).stale !== true;
      return (await until(isFresh, recoveryMs)) ? [] : ["rates stay stale after their source is well"];
    },
  },
  {
    name: "delivery",
    modes: broken,
    inGate: "timeout",
    walks: true,
    set: ({ stage }, mode) => stage.cdek.setFault(mode as FaultMode),
    // Two requests of three seconds each, at once, and a token before them.
    expected: () => ({ quote: ok(7_000) }),
    async also({ stage, goods }) {
      const visitor = aVisitor(stage.urls[0] ?? "");
      await visitor.request("PATCH", `/api/cart/${goods.coin}`, { quantity: 1 });
      const cities = (await visitor.request("GET", `/api/locations/cities?q=${encodeURIComponent("Каз")}`)).data as
        | { code: string }[]
        | null;
      const answer = await visitor.request("POST", "/api/checkout/deliveries", { code: cities?.[0]?.code ?? "" });
      const options = ((answer.data ?? []) as { items: { price: number; note: string; minDays: number | null }[] }[]).flatMap(
        ({ items }) => items,
      );
      if (answer.status !== 200 || options.length === 0) return [`a new city: ${answer.status}, ${options.length} ways of delivery`];
      return options.every(({ price, note, minDays }) => price > 0 || note !== "" || minDays !== null || price === 0)
        ? []
        : ["a way of delivery without price and without a word"];
    },
  },
  {
    name: "sms",
    modes: broken,
    inGate: "html",
    walks: true,
    set: ({ stage }, mode) => stage.sms.setFault(mode as FaultMode),
    expected: (mode) => ({ "sign-in": mode === "slow" ? ok(6_000) : refused(6_000, "auth.sms_unavailable") }),
  },
  {
    name: "payment",
    modes: broken,
    inGate: "error",
    walks: true,
    set: ({ stage }, mode) => stage.payment.setFault(mode as FaultMode),
    // With the order the buyer waits five seconds for the payment page.
    expected: (mode) => ({ order: ok(7_000), pay: mode === "slow" ? ok(11_000) : refused(11_000, "payment.unavailable") }),
  },
  {
    name: "image origin",
    modes: broken,
    inGate: "empty",
    walks: true,
    set: ({ origin }, mode) => origin.setFault(mode as FaultMode),
    async also({ stage }, mode) {
      const visitor = aVisitor(stage.urls[0] ?? "");
      const [known, unknown] = [
        await visitor.request("GET", "/_image?url=/known.webp&width=320"),
        await visitor.request("GET", `/_image?url=/unknown-${mode}.webp&width=320`),
      ];
      return [
        ...(known.status === 200 ? [] : [`a picture that was shown before: ${known.status}`]),
        ...(mode === "slow" || (unknown.status >= 400 && unknown.milliseconds <= 6_000)
          ? []
          : [`a picture never seen: ${unknown.status} after ${Math.round(unknown.milliseconds)} ms`]),
      ];
    },
    async afterwards({ stage }, mode) {
      const visitor = aVisitor(stage.urls[0] ?? "");
      return (await until(async () => (await visitor.request("GET", `/_image?url=/unknown-${mode}.webp&width=320`)).status === 200, 11_000))
        ? []
        : ["the picture does not come back within eleven seconds"];
    },
  },
  {
    name: "map script",
    modes: broken,
    inGate: "html",
    walks: true,
    set: ({ maps }, mode) => maps.setFault(mode as FaultMode),
  },
  {
    name: "mail",
    modes: broken,
    inGate: "error",
    walks: true,
    set: ({ stage }, mode) => stage.mail.setFault(mode as FaultMode),
    async afterwards({ stage }) {
      const before = stage.mail.messages().length;
      return (await until(async () => {
        await stage.advance(minutes(2));
        return stage.mail.messages().length > before;
      }, recoveryMs))
        ? []
        : ["letters that waited were not sent"];
    },
  },
  {
    name: "PostgreSQL down",
    modes: ["down", "reset", "timeout"],
    inGate: "down",
    walks: false,
    set: ({ stage }, mode) => stage.line.setFault(mode === "ok" ? { kind: "none" } : { kind: mode as "down" | "reset" | "timeout" }),
    // Search results come from memory while the price list may be used. A server that swallows answers is abandoned after the driver's six
    // seconds, or after two while the pool is full.
    expected: (mode) =>
      all(refused(mode === "timeout" ? 9_000 : 3_000), {
        pages: ok(mode === "timeout" ? 9_000 : 3_000),
        search: { statuses: [200, 503], withinMs: mode === "timeout" ? 9_000 : 3_000 },
      }),
    async also({ stage }, mode) {
      if (mode === "timeout") return [];
      const visitor = aVisitor(stage.urls[0] ?? "");
      const webhook = await visitor.request("POST", "/api/payments/yookassa/webhook", {
        type: "notification",
        event: "payment.succeeded",
        object: { id: "22e12f66-000f-5000-8000-18db351245c7", status: "succeeded" },
      });
      const wrong = webhook.status === 503 ? [] : [`a notification of the payment provider: ${webhook.status}`];
      await stage.advance(minutes(11));
      for (const page of publicPages) {
        const old = await visitor.page(page);
        if (old.status !== 503 || !isRussian(old.text))
          wrong.push(`eleven minutes without the database: page ${page} is answered with ${old.status}`);
      }
      return wrong;
    },
  },
  {
    name: "PostgreSQL slow",
    modes: ["far", "very far"],
    inGate: "far",
    walks: false,
    set: ({ stage }, mode) =>
      stage.line.setFault(mode === "ok" ? { kind: "none" } : { kind: "latency", ms: mode === "far" ? slowLineMs : verySlowLineMs }),
    expected: (mode) =>
      mode === "far"
        ? all(ok(3_000), { quote: ok(5_000), order: ok(5_000), pay: ok(5_000) })
        : all({ statuses: [200, 201, 503], withinMs: requestDeadline }),
  },
  {
    name: "disk full",
    modes: ["full"],
    inGate: "full",
    walks: false,
    impossible: ({ disk }) => (disk ? null : "no file system may be mounted here"),
    set: ({ disk }, mode) => (mode === "ok" ? disk?.free() : disk?.fill()),
    // A row that fits into an existing page is written; no page can be added. No write is incomplete: the ledger is checked in the end.
    expected: () => all({ statuses: [200, 201, 503], withinMs: ordinaryMs }, { pages: ok(), search: ok() }),
    async also({ stage, goods }) {
      const visitor = aVisitor(stage.urls[0] ?? "");
      const picture = await visitor.request("GET", "/_image?url=/on-a-full-disk.webp&width=320");
      let isFull = false;
      for (let n = 0; n < 1_000 && !isFull; n += 1)
        isFull = (await aVisitor(stage.urls[0] ?? "").request("PATCH", `/api/cart/${goods.coin}`, { quantity: 1 })).status === 503;
      const reading = await visitor.request("GET", "/api/courses");
      return [
        ...(picture.status === 200 ? [] : [`a picture that cannot be kept: ${picture.status}`]),
        ...(isFull ? [] : ["the disk was never full: the row proves nothing"]),
        ...(reading.status === 200 ? [] : [`rates cannot be read: ${reading.status}`]),
      ];
    },
  },
];

async function openBench(): Promise<Bench & { close(): Promise<void> }> {
  const [origin, maps] = await Promise.all([startPictureOrigin(), startMapsSimulator()]);
  const disk = mountSmallDisk();
  const [stage, browser] = await Promise.all([
    openStage({
      processes: 1,
      disk,
      env: {
        RATES_POLL_SECONDS: "1",
        IMAGE_ORIGIN: origin.url,
        IMAGE_ORIGIN_ALLOW_PRIVATE: "1",
        YMAPS_SCRIPT_URL: `${maps.url}/2.1/`,
        YMAPS_API_KEY: "drill",
      },
    }),
    openBrowser(),
  ]);
  const [coin = 0] = await coinsFor(stage.urls[0] ?? "");
  const [card] = (await aVisitor(stage.urls[0] ?? "").request("GET", `/api/products?ids=${coin}`)).data as { slug: string }[];
  return {
    stage,
    origin,
    maps,
    browser,
    disk,
    goods: { coin, slug: card?.slug ?? "", bullion: 1001 },
    async close() {
      await browser.close();
      await stage.close();
      await Promise.all([origin.close(), maps.close()]);
      disk?.unmount();
    },
  };
}

async function play(bench: Bench): Promise<string[]> {
  const { stage } = bench;
  const pid = stage.members[0]?.pid() ?? 0;
  await aVisitor(stage.urls[0] ?? "").request("GET", "/_image?url=/known.webp&width=320");

  const wrong: string[] = [];
  for (const row of rows.filter(({ name }) => only === undefined || name === only)) {
    const reason = row.impossible?.(bench) ?? null;
    if (reason !== null) {
      leaveOut(`${row.name}: not played, ${reason}`);
      continue;
    }
    for (const mode of isShort ? [row.inGate] : row.modes)
      wrong.push(...(await playCellsOf(bench, row, mode)).map((each) => `${row.name} ${mode}: ${each}`));
  }
  if (!existsSync(`/proc/${pid}`) || stage.members[0]?.pid() !== pid) wrong.push("the shop did not live through it");
  return [...wrong, ...(await stage.broken())];
}

async function playCellsOf(bench: Bench, row: Row, mode: Mode): Promise<string[]> {
  const { stage, goods } = bench;
  for (const page of publicPages) await aVisitor(stage.urls[0] ?? "").page(page); // there are always readers
  const people = await gatherPeople(stage, goods);
  const wrong: string[] = [];
  const times: string[] = [];
  row.set(bench, mode);
  try {
    // In the gate all columns of a slow connection run at once: they wait for the network, not for each other.
    const tried = await inTurns(columns, isShort && mode === "far" ? columns.length : 1, async (column) => ({
      column,
      heard: await tryColumn(stage, people, column, goods),
    }));
    for (const { column, heard } of tried) {
      wrong.push(...judge(column, heard, row.expected?.(mode)[column] ?? ok()));
      times.push(`${column} ${heard.map(({ status, milliseconds }) => `${status}/${Math.round(milliseconds)}`).join(",")}`);
    }
    wrong.push(...((await row.also?.(bench, mode)) ?? []));
    if (row.walks && mode === row.inGate) {
      const how = { repair: row.name === "payment" ? () => repair(bench, row) : undefined, byPoint: row.name === "map script" };
      await walkPurchase(bench.browser, stage.urls[0] ?? "", goods.slug, how).catch((error: unknown) =>
        wrong.push(`a browser cannot buy: ${String(error).slice(0, 400)}`),
      );
    }
  } finally {
    await repair(bench, row);
  }
  wrong.push(...(await verifyRecovery(bench)).map((each) => `afterwards: ${each}`), ...((await row.afterwards?.(bench, mode)) ?? []));
  say(`${row.name} ${mode}: ${wrong.length === 0 ? "as it should be" : `${wrong.length} WRONG`}  (${times.join("; ")})`);
  return wrong;
}

/** Runs `work` for each, `atOnce` at a time; results in the given order. */
async function inTurns<T, R>(all: readonly T[], atOnce: number, work: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < all.length; from += atOnce) done.push(...(await Promise.all(all.slice(from, from + atOnce).map(work))));
  return done;
}

async function repair(bench: Bench, row: Row): Promise<void> {
  row.set(bench, "ok");
  await bench.stage.advance(afterBreaker);
}

/** Whether everything works again within a minute, without a restart. */
async function verifyRecovery(bench: Bench): Promise<string[]> {
  const { stage, goods } = bench;
  const giveUpAt = performance.now() + recoveryMs;
  for (;;) {
    const wrong: string[] = [];
    try {
      const people: People = await gatherPeople(stage, goods);
      for (const column of columns) wrong.push(...judge(column, await tryColumn(stage, people, column, goods), ok()));
    } catch (error) {
      wrong.push((error as Error).message);
    }
    if (wrong.length === 0 || performance.now() > giveUpAt) return wrong;
    await pause(500);
  }
}

const isRussian = (text: string): boolean => /[а-яё]{4}/i.test(text);

/** What is wrong with the calls of a column. The last refusal has the expected code, and each refusal its message. */
function judge(column: string, calls: readonly RecordedCall[], { statuses, withinMs, code }: Expectation): string[] {
  return calls.flatMap(({ method, path, status, text, milliseconds }) => {
    const call = `${column}: ${method} ${path}`;
    const isPrepared = status === 200 && statuses.includes(503) && path === "/api/auth/check-code";
    return [
      ...(statuses.includes(status) || isPrepared ? [] : [`${call} is ${status} ${text.slice(0, 120)}, not ${statuses.join(" or ")}`]),
      ...(milliseconds <= withinMs ? [] : [`${call} takes ${Math.round(milliseconds)} ms, not ${withinMs}`]),
      ...(status < 400 || isRussian(text) ? [] : [`${call}: ${status} without Russian words: ${text.slice(0, 120)}`]),
      ...(status < 400 || !code || !text.startsWith("{") || text.includes(`"${code}"`)
        ? []
        : [`${call}: ${text.slice(0, 120)} is not ${code}`]),
    ];
  });
}

async function until(isSo: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  for (const giveUpAt = performance.now() + patienceMs; performance.now() < giveUpAt; await pause(250)) if (await isSo()) return true;
  return false;
}

await drill(openBench, play);
