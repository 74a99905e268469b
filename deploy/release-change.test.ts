import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { arch, platform, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Processes } from "./processes.ts";
import { currentRelease, rollback, update } from "./release-change.ts";

const keys = generateKeyPairSync("ed25519", {
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** A signed archive of a release without a shop. Its build is its name. */
function anArchive(name: string, { key = keys.privateKey, kind = `${platform()}-${arch()}` } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "chekan-release-"));
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "app.js"), name);
  const files = { "app.js": sha256(Buffer.from(name)) };
  writeFileSync(join(folder, name, "release.json"), JSON.stringify({ name, build: name, platform: kind, migrations: ["0001"], files }));
  const archive = join(folder, `${name}.tar.gz`);
  spawnSync("tar", ["-czf", archive, "-C", folder, name]);
  const line = `${sha256(readFileSync(archive))}  ${basename(archive)}\n`;
  writeFileSync(`${archive}.sha256`, line);
  writeFileSync(`${archive}.sha256.sig`, sign(null, Buffer.from(line), key).toString("base64"));
  return archive;
}

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

/** A machine with two processes. What `isBroken` names never answers 200. */
async function aMachine(isBroken: (build: string, path: string) => boolean = () => false) {
  const home = mkdtempSync(join(tmpdir(), "chekan-home-"));
  mkdirSync(join(home, "releases"));
  const acts: string[] = [];
  const running = new Map<number, string>();
  const ports = new Map<number, number>();
  for (const number of [1, 2]) {
    const server = createServer((request, response) => {
      const build = running.get(number) ?? "none";
      response.statusCode = isBroken(build, request.url ?? "") ? 500 : 200;
      response.end(JSON.stringify({ data: { version: build } }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    servers.add(server);
    ports.set(number, (server.address() as AddressInfo).port);
  }
  const processes: Processes = {
    portOf: (number) => ports.get(number) ?? 0,
    async runOnce(release, command) {
      acts.push(`${command} ${basename(release)}`);
      if (isBroken(basename(release), command)) throw new Error("no such column");
    },
    async restart(number) {
      const release = basename(currentRelease(home) ?? "");
      acts.push(`restart ${number} ${release}`);
      running.set(number, release);
    },
  };
  const common = {
    home,
    publicKey: keys.publicKey,
    numbers: [1, 2],
    processes,
    hostOf: () => "shop.trial",
    say: () => {},
    readyMs: 500,
    settleMs: 0,
  };
  return { home, acts, common, install: (archive: string) => update({ ...common, archive }) };
}

test("an update migrates first, then restarts one process after another", async () => {
  const { acts, install, home } = await aMachine();
  await install(anArchive("chekan-1"));
  await install(anArchive("chekan-2"));
  expect(acts.slice(3)).toEqual(["migrate chekan-2", "restart 1 chekan-2", "restart 2 chekan-2"]);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-2");
});

test("a release whose pages fail is taken back from the first process, the second never saw it", async () => {
  const { acts, install, home } = await aMachine((build, path) => build === "chekan-2" && path === "/catalog");
  await install(anArchive("chekan-1"));
  await expect(install(anArchive("chekan-2"))).rejects.toThrow("process 1 answers /catalog with 500");
  expect(acts.slice(3)).toEqual(["migrate chekan-2", "restart 1 chekan-2", "restart 1 chekan-1"]);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-1");
});

test("a release that does not become ready is taken back", async () => {
  const { acts, install } = await aMachine((build, path) => build === "chekan-2" && path === "/readyz");
  await install(anArchive("chekan-1"));
  await expect(install(anArchive("chekan-2"))).rejects.toThrow("process 1 was not ready");
  expect(acts.at(-1)).toBe("restart 1 chekan-1");
});

test("when the migration fails, nothing is restarted", async () => {
  const { acts, install, home } = await aMachine((build, path) => build === "chekan-2" && path === "migrate");
  await install(anArchive("chekan-1"));
  await expect(install(anArchive("chekan-2"))).rejects.toThrow("the old release runs on: no such column");
  expect(acts.at(-1)).toBe("migrate chekan-2");
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-1");
});

test("an archive with another key, a changed byte or for another machine is refused before anything is changed", async () => {
  const { acts, install, home } = await aMachine();
  const other = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  await expect(install(anArchive("chekan-1", { key: other }))).rejects.toThrow("signature");
  const changed = anArchive("chekan-1");
  writeFileSync(changed, Buffer.concat([readFileSync(changed), Buffer.from([0])]));
  await expect(install(changed)).rejects.toThrow("checksum");
  await expect(install(anArchive("chekan-1", { kind: "plan9-mips" }))).rejects.toThrow("made for plan9-mips");
  const unsigned = anArchive("chekan-1");
  writeFileSync(`${unsigned}.sha256.sig`, "");
  await expect(install(unsigned)).rejects.toThrow("signature");
  expect([acts, currentRelease(home)]).toEqual([[], null]);
});

test("a release that was damaged on the disk is not started", async () => {
  const { install, home } = await aMachine();
  const archive = anArchive("chekan-1");
  await install(archive);
  writeFileSync(join(home, "releases/chekan-1/app.js"), "other");
  await expect(install(archive)).rejects.toThrow("app.js is damaged");
});

test("three releases stay installed, and the one before is returned to on request", async () => {
  const { install, home, common, acts } = await aMachine();
  for (const n of [1, 2, 3, 4, 5]) await install(anArchive(`chekan-${n}`));
  expect(readdirSync(join(home, "releases")).filter((name) => name.startsWith("chekan-"))).toHaveLength(3);
  expect(existsSync(join(home, "releases/chekan-1"))).toBe(false);
  await rollback(common);
  expect(acts.slice(-2)).toEqual(["restart 1 chekan-4", "restart 2 chekan-4"]);
  await rollback(common, "chekan-3");
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-3");
});
