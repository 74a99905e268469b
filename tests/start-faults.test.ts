import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environmentVariables, limitVariable } from "#main/config.ts";
import { lockFolder } from "#main/process/folder-lock.ts";
import { defaultLimits } from "#shop/settings.ts";

type End = { code: number | null; lines: string[] };

function start(env: Record<string, string>, args: string[] = []): Promise<End> {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(DATABASE_URL|PORT|SHOP_DEMO|SESSION_SECRET|PUBLIC_URL|SHOP_SETTINGS|MAIL_FROM)$/.test(name),
    ),
  );
  const child = spawn(process.execPath, ["src/main/start.ts", ...args], {
    env: { ...clean, PORT: "0", STAFF_PORT: "0", DATA_DIR: aFolder(), ...env },
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve({ code, lines: errors.trim().split("\n") })));
}
const aFolder = (): string => mkdtempSync(join(tmpdir(), "chekan-start-"));

test("a port in use ends with one clear line", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { port: number };
  const end = await start({ PORT: String(port) });
  other.close();
  expect(end).toEqual({ code: 1, lines: [`cannot start: port ${port} on 127.0.0.1 is in use: stop the other program or set PORT`] });
});

test("a port in use for the back office names its own variable", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { port: number };
  const end = await start({ STAFF_PORT: String(port) });
  other.close();
  expect(end).toEqual({ code: 1, lines: [`cannot start: port ${port} on 127.0.0.1 is in use: stop the other program or set STAFF_PORT`] });
});

test("a second process on the same data folder is refused", async () => {
  const folder = aFolder();
  const lock = await lockFolder(join(folder, "pglite"));
  const end = await start({ DATA_DIR: folder });
  await lock?.release();
  expect(end).toEqual({ code: 1, lines: [`cannot start: another process uses the data folder ${folder}: stop it or set DATA_DIR`] });
});

test("a database that does not answer is named without its password", async () => {
  const end = await start({ DATABASE_URL: "postgres://shop:secret@127.0.0.1:1/shop", DATABASE_WAIT_SECONDS: "0" });
  expect(end.code).toBe(1);
  expect(end.lines).toEqual(["cannot start: the database does not answer at 127.0.0.1:1/shop (DATABASE_URL; waited 0 s)"]);
});

test("two signals during the start, while it waits for the database, end it once and in order", async () => {
  const child = spawn(process.execPath, ["src/main/start.ts"], {
    env: {
      ...process.env,
      SHOP_DEMO: "1",
      PORT: "0",
      STAFF_PORT: "0",
      DATA_DIR: aFolder(),
      DATABASE_URL: "postgres://shop:secret@127.0.0.1:1/shop",
      DATABASE_WAIT_SECONDS: "60",
    },
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  await new Promise<void>((resolve) => child.stdout.on("data", (text) => /starting/.test(String(text)) && resolve()));
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])));
  child.kill("SIGTERM");
  child.kill("SIGINT");
  expect([await ended, errors]).toEqual([[0, null], ""]);
});

test("without demo all missing credentials are named at once", async () => {
  const end = await start({}, ["--serve"]);
  expect(end.code).toBe(1);
  const needed = [
    "DATABASE_URL",
    "PUBLIC_URL",
    "SHOP_SETTINGS",
    "SESSION_SECRET",
    "YOOKASSA_SHOP_ID",
    "YOOKASSA_SECRET_KEY",
    "SMSRU_API_ID",
    "CDEK_CLIENT_ID",
    "CDEK_CLIENT_SECRET",
    "SMTP_URL",
    "MAIL_FROM",
  ];
  expect(end.lines).toEqual(needed.map((name) => `cannot start: ${name}: missing without SHOP_DEMO=1 (see .env.example)`));
});

test("an invalid data folder is named", async () => {
  const end = await start({ DATA_DIR: join(process.cwd(), "package.json") });
  expect(end.code).toBe(1);
  expect(end.lines).toEqual([expect.stringMatching(/^cannot start: DATA_DIR: .*package\.json cannot be used as a folder: /)]);
});

test("an invalid variable is named", async () => {
  const end = await start({ PORT: "many" });
  expect(end.code).toBe(1);
  expect(end.lines[0]).toMatch(/^cannot start: PORT: /);
});

test("stopping npm stops the shop: no shell is between them", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  // npm sends signals to its shell, which does not forward them
  expect(scripts.start).toMatch(/^exec node /);
  expect(scripts.serve).toMatch(/^node src\/main\/build.ts && (?:[A-Z_]+=\d+ )*exec node /);
});

test("every variable is in .env.example, limits with their defaults", () => {
  const example = new Map(
    readFileSync(".env.example", "utf8")
      .split("\n")
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const limits = Object.entries(defaultLimits).map(([name, value]): [string, number] => [limitVariable(name), value]);
  for (const [name, value] of limits) expect([name, Number(example.get(name))]).toEqual([name, value]);
  expect([...example.keys()].toSorted()).toEqual([...environmentVariables, ...limits.map(([name]) => name)].toSorted());
});
