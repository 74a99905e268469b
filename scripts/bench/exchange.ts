/**
 * `npm run bench:exchange`: imports and exports at size. Fills a PostgreSQL with invented coins by the public command, starts the shop, and
 * measures over HTTP, with the processor time of dry runs, for each kind of table and both formats: the export, the dry run of that export
 * (nothing changes), the dry run with every premium changed, and the application; then previews of all coins and of a bulk change. Targets:
 * a dry run of 10,000 rows in 10 s, a preview of 10,000 coins in 0.5 s. `BENCH_COINS` (10000). Never part of the gate.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { startOwnPostgres } from "#tests/postgres.ts";
import { runShop, withoutRateLimits } from "#tests/running-shop.ts";
import { cpuSeconds } from "./load/load.ts";

const coins = Number(process.env.BENCH_COINS ?? 10_000);
const targetSeconds = 10;
const previewTargetSeconds = 0.5;

const server = await startOwnPostgres({ durable: false });
console.log(`filling: ${coins} coins`);
await promisify(execFile)(process.execPath, [join(import.meta.dirname, "../../db/seed/many.ts"), "--coins", String(coins)], {
  env: { ...process.env, DATABASE_URL: server.url },
  maxBuffer: 1e8,
});
const shop = await runShop({ DATABASE_URL: server.url, RATES_POLL_SECONDS: "60", PRICE_APPROVAL_COINS: "100000", ...withoutRateLimits });
const origin = new URL(shop.officeUrl).origin;

let cookie = "";
async function post(
  path: string,
  body: object,
): Promise<{ bytes: Buffer; seconds: number; headers: Record<string, string | string[] | undefined> }> {
  const from = performance.now();
  const answer = await request(shop.officeUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": randomUUID(), origin, cookie },
    body: JSON.stringify(body),
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${bytes.toString().slice(0, 300)}`);
  return { bytes, seconds: (performance.now() - from) / 1000, headers: answer.headers };
}
const { headers } = await post("/api/staff/demo-sign-in", { role: "owner" });
cookie = [headers["set-cookie"] ?? []]
  .flat()
  .map((each) => each.split(";", 1)[0])
  .join("; ");

type Checked = { data: { id: number; hash: string; counts: { rows: number; changed: number; errors: number } } };
let isLate = false;
const base = "/api/staff/exchange";
async function check(kind: string, name: string, bytes: Buffer): Promise<Checked["data"]> {
  const before = cpuSeconds(shop.pid);
  const { bytes: answer, seconds } = await post(`${base}/imports`, { kind, name, content: bytes.toString("base64") });
  const { data } = JSON.parse(answer.toString()) as Checked;
  isLate ||= seconds > targetSeconds;
  const { rows, changed, errors } = data.counts;
  const size = (bytes.length / 1024 ** 2).toFixed(1);
  const busy = (cpuSeconds(shop.pid) - before).toFixed(1);
  console.log(
    `${seconds.toFixed(1).padStart(6)} s, ${busy} s of processor time  dry run  ` +
      `${name} (${size} MB): ${rows} rows, ${changed} changes, ${errors} errors`,
  );
  return data;
}

let prices = "";
for (const kind of ["prices", "coins", "stock"])
  for (const format of ["csv", "xlsx"]) {
    const { bytes, seconds } = await post(`${base}/exports/goods`, { kind, format });
    console.log(`${seconds.toFixed(1).padStart(6)} s  export   ${kind}.${format}`);
    await check(kind, `${kind}.${format}`, bytes);
    if (kind === "prices" && format === "csv") prices = bytes.toString();
  }

const [head = "", ...rows] = prices.split("\r\n");
const column = head.split(";").indexOf("Премия, %");
const dearer = rows.map((row) => {
  const cells = row.split(";");
  if (row.includes('"') || cells[column] === undefined) return row;
  cells[column] = String(Math.round((Number(cells[column].replace(",", ".")) + 0.1) * 100) / 100).replace(".", ",");
  return cells.join(";");
});
const { id, hash } = await check("prices", "all premiums changed", Buffer.from([head, ...dearer].join("\r\n")));
const applied = await post(`${base}/imports/${id}/apply-prices`, { hash });
console.log(`${applied.seconds.toFixed(1).padStart(6)} s  applied`);

const action = encodeURIComponent(JSON.stringify({ field: "premium", mode: "add", bp: 10 }));
for (const query of ["", "", "", `?action=${action}`, `?action=${action}`]) {
  const from = performance.now();
  const answer = await request(`${shop.officeUrl}/api/staff/prices/preview${query}`, { headers: { cookie } });
  const text = await answer.body.text();
  const seconds = (performance.now() - from) / 1000;
  if (answer.statusCode !== 200) throw new Error(`preview: ${answer.statusCode} ${text.slice(0, 300)}`);
  const { data } = JSON.parse(text) as { data: { rows: unknown[] } };
  isLate ||= seconds > previewTargetSeconds;
  const kind = query === "" ? "all coins" : "coins with a premium, before and after";
  console.log(
    `${seconds.toFixed(2).padStart(6)} s  preview  ${kind}: ${data.rows.length} rows (${(text.length / 1024 ** 2).toFixed(1)} MB)`,
  );
}
console.log(
  `${isLate ? "over" : "within"} ${targetSeconds} s a dry run and ${previewTargetSeconds} s a preview; load ${loadavg()[0]?.toFixed(1)}`,
);
await shop.stop();
await server.stop();
process.exit(isLate ? 1 : 0);
