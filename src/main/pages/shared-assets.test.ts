import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { buildFiles } from "./build-files.ts";
import { officeApp } from "./office-app.ts";
import { shareAssets, shareAssetsAtStart, sharedFiles } from "./shared-assets.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "chekan-assets-"));

function aBuild(names: readonly string[]): string {
  const client = folder();
  mkdirSync(join(client, "assets"));
  for (const name of names) writeFileSync(join(client, "assets", name), `content of ${name}`);
  return client;
}

test("a process serves the assets of another build that started later", async () => {
  const shared = folder();
  const [old, fresh] = [aBuild(["a-11111111.js"]), aBuild(["a-22222222.js"])];
  shareAssets(join(old, "assets"), shared, "old");
  const app = Fastify();
  await app.register(buildFiles(join(old, "assets"), shared));
  const request = async (url: string) => (await app.inject({ method: "GET", url })).statusCode;
  expect([await request("/assets/a-11111111.js"), await request("/assets/a-22222222.js")]).toEqual([200, 404]);
  shareAssets(join(fresh, "assets"), shared, "new");
  const answer = await app.inject({ method: "GET", url: "/assets/a-22222222.js" });
  expect([answer.statusCode, answer.body, answer.headers["cache-control"]]).toEqual([
    200,
    "content of a-22222222.js",
    "public, max-age=31536000, immutable",
  ]);
  const newer = Fastify();
  await newer.register(buildFiles(join(fresh, "assets"), shared));
  expect((await newer.inject({ method: "GET", url: "/assets/a-11111111.js" })).body).toBe("content of a-11111111.js");
  await newer.close();
  for (const url of ["/assets/../builds/new.json", "/assets/%2e%2e/builds/new.json", "/assets/..%2fbuilds%2fnew.json"])
    expect([url, (await app.inject({ method: "GET", url })).statusCode]).not.toEqual([url, 200]);
  await app.close();
});

test("a back-office screen opened before an update gets its files from the new build's process; the shop does not serve them", async () => {
  const shared = folder();
  const [old, fresh] = [aBuild(["app-11111111.js"]), aBuild(["app-22222222.js"])];
  shareAssets(join(old, "assets"), join(shared, "office"), "old");
  shareAssets(join(fresh, "assets"), join(shared, "office"), "new");
  const [office, store] = [Fastify(), Fastify()];
  await office.register(officeApp(fresh, join(shared, "office")));
  mkdirSync(sharedFiles(shared), { recursive: true });
  await store.register(buildFiles(join(aBuild([]), "assets"), shared));
  const get = async (app: typeof office, url: string) => (await app.inject({ method: "GET", url })).statusCode;
  expect([await get(office, "/assets/app-11111111.js"), await get(office, "/assets/app-22222222.js")]).toEqual([200, 200]);
  expect(await get(office, "/assets/app-33333333.js")).toBe(404);
  for (const url of ["/assets/app-11111111.js", "/assets/office/files/app-11111111.js", "/assets/../office/files/app-11111111.js"])
    expect([url, await get(store, url)]).toEqual([url, 404]);
  await Promise.all([office.close(), store.close()]);
});

test("the five newest builds are kept, with the files that they share with older ones", () => {
  const shared = folder();
  for (let n = 1; n <= 7; n += 1) {
    shareAssets(join(aBuild([`only-${n}.js`, n < 4 ? "early.js" : "late.js"]), "assets"), shared, `build-${n}`);
    utimesSync(join(shared, "builds", `build-${n}.json`), n, n);
  }
  const isKept = (name: string) => existsSync(join(sharedFiles(shared), name));
  expect([1, 2, 3, 4, 5, 6, 7].map((n) => isKept(`only-${n}.js`))).toEqual([false, false, true, true, true, true, true]);
  expect([isKept("early.js"), isKept("late.js")]).toEqual([true, true]);
  expect(readFileSync(join(sharedFiles(shared), "only-7.js"), "utf8")).toBe("content of only-7.js");
});

test("a process starts and serves its own assets when the shared folder is away or its disk is full", async () => {
  const build = aBuild(["a-11111111.js"]);
  const assets = join(build, "assets");
  const start = async (shared: string) => {
    const warnings: string[] = [];
    const log = { warn: (_: object, message = "") => void warnings.push(message) };
    const app = Fastify();
    await app.register(buildFiles(join(build, "assets"), shareAssetsAtStart(log, { assets, shared, version: "new" })));
    const { statusCode } = await app.inject({ method: "GET", url: "/assets/a-11111111.js" });
    const other = await app.inject({ method: "GET", url: "/assets/b-22222222.js" });
    await app.close();
    return [statusCode, other.statusCode, warnings.length];
  };
  const away = join(folder(), "away");
  writeFileSync(away, "no folder");
  expect(await start(away)).toEqual([200, 404, 1]);

  const full = folder();
  shareAssets(join(aBuild(["b-22222222.js"]), "assets"), full, "other");
  symlinkSync("/dev/full", join(full, "builds", `new.json.${process.pid}.part`));
  expect(await start(full)).toEqual([200, 200, 1]);
});

test("a list of assets that a lost power left empty does not keep a process from starting", () => {
  const shared = folder();
  for (let n = 1; n <= 6; n += 1) shareAssets(join(aBuild([`only-${n}.js`]), "assets"), shared, `build-${n}`);
  writeFileSync(join(shared, "builds", "build-6.json"), "");
  shareAssets(join(aBuild(["only-7.js"]), "assets"), shared, "build-7");
  expect(existsSync(join(sharedFiles(shared), "only-7.js"))).toBe(true);
});
