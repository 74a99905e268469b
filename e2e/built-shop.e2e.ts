import { spawn, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { ownDatabase } from "./postgres.ts";
import { freePort } from "#tests/postgres.ts";

const root = join(import.meta.dirname, "..");
const bundle = join(root, "build/app");

test("the bundled server has its pages, data files, threads and child processes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-built-"));
  const [port, officePort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(bundle, "start.js")], {
    cwd: folder, // nothing is found by the current folder
    env: {
      ...process.env,
      ...(await ownDatabase()),
      SHOP_DEMO: "1",
      OVERLOAD_DELAY_MS: "1000000", // a machine that does other work beside must not turn an answer into 503
      REQUEST_DEADLINE_MS: "60000",
      DATA_DIR: folder,
      PORT: String(port),
      STAFF_PORT: String(officePort),
      SENTRY_DSN: `http://key@127.0.0.1:${port}/1`,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = `http://localhost:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 120_000 },
    )
    .toBe(200);

  const page = await (await fetch(`${url}/products/georgij-pobedonosec-50-rublej-2026-mmd`)).text();
  expect(page).toContain("Георгий Победоносец");
  const [script = ""] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
  expect((await fetch(url + script)).status).toBe(200);
  // made by the child process that encodes pictures
  const picture = await fetch(`${url}/_image?url=/media/scenes/news-1.webp&width=480`);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^image\//)]);
  // pdfkit and its fonts
  expect(await (await fetch(`${url}/privacy-policy.pdf`)).text()).toMatch(/^%PDF/);

  const office = `http://localhost:${officePort}`;
  expect(await (await fetch(office)).text()).toContain("<html");
  const signedIn = await fetch(`${office}/api/staff/demo-sign-in`, {
    method: "POST",
    headers: { origin: office, "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({ role: "owner" }),
  });
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
  // written in a thread
  const table = await fetch(`${office}/api/staff/exchange/price-list?format=xlsx`, { headers: { cookie } });
  expect((await table.bytes()).subarray(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]));

  child.kill("SIGTERM");
  expect(await gone).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

test("the files of the bundle are stored with one byte a character", () => {
  const files = globSync(join(bundle, "*.js"));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((path) => !/^[\0-\u007f]*$/.test(readFileSync(path, "utf8")))).toEqual([]);
});

/** A release without sources, as its archive unpacks it. */
function unpackedRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), "chekan-release-"));
  const made = spawnSync(process.execPath, [join(root, "scripts/release.ts"), "--unpacked", folder], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  return made.stdout.trim();
}

test("every command of an operator runs from a release without sources", async () => {
  const release = unpackedRelease();
  const { DATABASE_URL } = await ownDatabase();
  const copy = (await ownDatabase()).DATABASE_URL;
  const env = { ...process.env, DATABASE_URL, SHOP_DEMO: "1", DATA_DIR: join(release, "data"), LOG_LEVEL: "warn" };
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(release, "bin/node"), [join(release, `build/app/${program}.js`), ...args], {
      cwd: tmpdir(),
      env,
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  };
  expect(run("migrate")).toEqual({ status: 0, output: "the schema is up to date\n" });
  expect(run("seed", "--orders", "20")).toEqual({ status: 0, output: expect.stringMatching(/379 coins: /) });
  expect(run("check-ledger")).toEqual({ status: 0, output: expect.stringContaining("the ledger is in order") });
  expect(run("desk", "staff", "invite", "owner@example.ru", "admin")).toEqual({ status: 0, output: expect.stringContaining("http") });
  expect(run("desk", "waiting").status).toBe(0);
  expect(run("import", join(release, "db/seed/data/coins.csv"))).toEqual({ status: 0, output: expect.stringContaining("0 changed") });
  expect(run("staging-copy", "--from", DATABASE_URL, "--to", copy)).toEqual({ status: 0, output: expect.stringMatching(/orders: 20\b/) });
  expect(run("update")).toEqual({ status: 1, output: expect.stringContaining("usage: deploy/update") });

  const command = (...args: string[]) => spawnSync(join(release, "deploy/command"), args, { encoding: "utf8" });
  expect(command().status).toBe(2);
  expect(command("shell").stderr).toContain("usage: deploy/command");
  // The backup has settings of its own, which are not there.
  expect(command("backup").stderr).toContain("backup.env cannot be read");
  expect(command("restore").stderr).toContain("backup.env cannot be read");
  rmSync(release, { recursive: true });
});
