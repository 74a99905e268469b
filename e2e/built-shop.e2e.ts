import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { ownDatabase } from "./postgres.ts";
import { freePort } from "#tests/postgres.ts";

const bundle = join(import.meta.dirname, "../build/app");

test("the bundled server has its pages, data files, threads and child processes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-built-"));
  const [port, officePort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(bundle, "start.js")], {
    cwd: folder, // nothing is found by the current folder
    env: {
      ...process.env,
      ...(await ownDatabase()),
      SHOP_DEMO: "1",
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
