import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { arch, platform, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { systemd, unitsIn, type Processes } from "./processes.ts";
import { currentRelease, rollback, update } from "./release-change.ts";
import type { Unit } from "./roles.ts";
import { copyUnitFiles } from "./unit-files.ts";

const keys = generateKeyPairSync("ed25519", {
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** A signed archive of a release without a shop. Its build is its name. */
function anArchive(
  name: string,
  { key = keys.privateKey, kind = `${platform()}-${arch()}`, unitFiles = {} as Record<string, string> } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), "chekan-release-"));
  const texts = { "app.js": name, ...unitFiles };
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, sha256(Buffer.from(text))]));
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

/** A machine with two processes. What `isBroken` names never answers 200; the process `withoutPages` has probes only. */
async function aMachine(isBroken: (build: string, path: string) => boolean = () => false, withoutPages = 0) {
  const home = mkdtempSync(join(tmpdir(), "chekan-home-"));
  mkdirSync(join(home, "releases"));
  const systemdFolder = join(home, "systemd");
  mkdirSync(systemdFolder);
  const acts: string[] = [];
  const backups: string[] = [];
  const running = new Map<number, string>();
  const ports = new Map<number, number>();
  for (const number of [1, 2, 3]) {
    const server = createServer((request, response) => {
      const build = running.get(number) ?? "none";
      const isProbe = ["/readyz", "/api/build"].includes(request.url ?? "");
      response.statusCode = isBroken(build, request.url ?? "") ? 500 : number === withoutPages && !isProbe ? 404 : 200;
      response.end(JSON.stringify({ data: { version: build, ...(number === withoutPages ? { pages: false } : {}) } }));
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
    useUnitFiles: (release, before) => copyUnitFiles(release, before, systemdFolder),
    async restart(number) {
      const release = basename(currentRelease(home) ?? "");
      acts.push(`restart ${number} ${release}`);
      running.set(number, release);
    },
    restartBackup: () => void backups.push(basename(currentRelease(home) ?? "")),
  };
  const common = {
    home,
    publicKey: keys.publicKey,
    units: [
      { number: 1, role: "all" },
      { number: 2, role: "all" },
    ] as Unit[],
    processes,
    hostOf: () => "shop.trial",
    say: () => {},
    readyMs: 500,
    settleMs: 0,
  };
  return { home, systemdFolder, acts, backups, common, install: (archive: string) => update({ ...common, archive }) };
}

test("an update migrates first, then restarts one process after another", async () => {
  const { acts, install, home } = await aMachine();
  await install(anArchive("chekan-1"));
  await install(anArchive("chekan-2"));
  expect(acts.slice(3)).toEqual(["migrate chekan-2", "restart 1 chekan-2", "restart 2 chekan-2"]);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-2");
});

test("a process that only works, or has only the back office, is restarted too and read without pages", async () => {
  const { acts, install } = await aMachine(() => false, 2);
  await install(anArchive("chekan-1"));
  await install(anArchive("chekan-2"));
  expect(acts.slice(3)).toEqual(["migrate chekan-2", "restart 1 chekan-2", "restart 2 chekan-2"]);
});

test("processes that only work are restarted first and no pages are requested of them; all are taken back when a page fails", async () => {
  const { acts, common } = await aMachine((build, path) => build === "chekan-2" && path === "/catalog", 3);
  const units: Unit[] = [
    { number: 1, role: "web" },
    { number: 2, role: "web" },
    { number: 3, role: "worker" },
  ];
  await update({ ...common, units, archive: anArchive("chekan-1") });
  await expect(update({ ...common, units, archive: anArchive("chekan-2") })).rejects.toThrow("process 1 answers /catalog with 500");
  expect(acts).toEqual([
    "migrate chekan-1",
    "restart 3 chekan-1",
    "restart 1 chekan-1",
    "restart 2 chekan-1",
    "migrate chekan-2",
    "restart 3 chekan-2",
    "restart 1 chekan-2",
    "restart 3 chekan-1",
    "restart 1 chekan-1",
  ]);
});

test("the units of a machine have the role of their own file before that of the shop's", () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-units-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const shop = file("chekan.env", "PUBLIC_URL=https://shop.trial\nPROCESS=web\n");
  const own = file("process-3.env", 'PROCESS="worker"\n');
  const listed = "chekan@1.service loaded active running one\nchekan@3.service loaded failed failed three\n";
  expect(unitsIn(listed, (number) => [shop, join(folder, `process-${number}.env`)])).toEqual([
    { number: 1, role: "web" },
    { number: 3, role: "worker" },
  ]);
  writeFileSync(own, "PROCESS=baker\n");
  expect(() => unitsIn(listed, () => [own])).toThrow("PROCESS=baker is no role");
});

test("a unit without a number from 1 to 9 is refused, not passed over: it would stay on the old release", () => {
  const listed = "chekan@2.service loaded active running two\n";
  expect(unitsIn(listed, () => [])).toEqual([{ number: 2, role: "all" }]);
  for (const name of ["10", "0", "office"])
    expect(() => unitsIn(`${listed}chekan@${name}.service loaded active running other\n`, () => [])).toThrow(`chekan@${name}: `);
});

test("a release whose pages fail is taken back from the first process, the second never saw it", async () => {
  const { acts, install, home } = await aMachine((build, path) => build === "chekan-2" && path === "/catalog");
  await install(anArchive("chekan-1"));
  await expect(install(anArchive("chekan-2"))).rejects.toThrow("process 1 answers /catalog with 500");
  expect(acts.slice(3)).toEqual(["migrate chekan-2", "restart 1 chekan-2", "restart 1 chekan-1"]);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-1");
});

test("when a process does not come back, the others still return, and the fault of the release is what is reported", async () => {
  const { acts, home, common, install } = await aMachine((build, path) => build === "chekan-2" && path === "/catalog", 1);
  await install(anArchive("chekan-1"));
  const said: string[] = [];
  const processes: Processes = {
    ...common.processes,
    async restart(number) {
      if (number === 1 && acts.includes("restart 2 chekan-2")) throw new Error("chekan@1.service: Start request repeated too quickly");
      await common.processes.restart(number);
    },
  };
  const second = update({ ...common, processes, say: (line) => said.push(line), archive: anArchive("chekan-2") });
  await expect(second).rejects.toThrow("process 2 answers /catalog with 500");
  expect(acts.slice(-3)).toEqual(["restart 1 chekan-2", "restart 2 chekan-2", "restart 2 chekan-1"]);
  expect(said.slice(-4, -2)).toEqual([
    "failed: process 2 answers /catalog with 500",
    "failed while taking it back: chekan@1.service: Start request repeated too quickly",
  ]);
  expect([said.at(-1), basename(currentRelease(home) ?? "")]).toEqual(["rolled back to chekan-1", "chekan-1"]);
});

/** An update that is killed when it restarts process 2: process 1 is on the new release, process 2 on the old one. */
async function breakOff({ common, acts }: Awaited<ReturnType<typeof aMachine>>, archive: string): Promise<void> {
  const killed = new Promise<void>((resolve) => {
    const restart = (number: number): Promise<void> => {
      if (number === 1) return common.processes.restart(1);
      acts.push("killed");
      resolve();
      return new Promise(() => {});
    };
    void update({ ...common, processes: { ...common.processes, restart }, archive });
  });
  await killed;
}

test("after an update that broke off, a failing repetition returns every process to the release before both", async () => {
  let isFailing = false;
  const machine = await aMachine((build, path) => isFailing && build === "chekan-2" && path === "/catalog");
  const { acts, install, home } = machine;
  await install(anArchive("chekan-1"));
  const second = anArchive("chekan-2");
  await breakOff(machine, second);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-2");
  isFailing = true;
  await expect(install(second)).rejects.toThrow("process 1 answers /catalog with 500");
  expect(acts.slice(acts.indexOf("killed") + 1)).toEqual([
    "migrate chekan-2",
    "restart 1 chekan-2",
    "restart 1 chekan-1",
    "restart 2 chekan-1",
  ]);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-1");
  isFailing = false;
  await install(second);
  isFailing = true;
  // What was checked since is what the next one returns to.
  await expect(install(anArchive("chekan-2"))).rejects.toThrow("/catalog");
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-2");
});

test("after an update that broke off, `--back` leads to the release before it, and the unit files follow", async () => {
  const machine = await aMachine();
  const { common, install, home, systemdFolder } = machine;
  const withUnit = (name: string) => anArchive(name, { unitFiles: { "deploy/systemd/chekan.target": name } });
  for (const n of [1, 2, 3]) await install(withUnit(`chekan-${n}`));
  await rollback(common);
  await breakOff(machine, withUnit("chekan-4"));
  await rollback(common);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-2");
  await breakOff(machine, withUnit("chekan-4"));
  await install(withUnit("chekan-5"));
  expect(readFileSync(join(systemdFolder, "chekan.target"), "utf8")).toBe("chekan-5");
});

test("an update that is interrupted is taken back as after a failed check", async () => {
  const { acts, common, install, home } = await aMachine();
  await install(anArchive("chekan-1"));
  const controller = new AbortController();
  const processes: Processes = {
    ...common.processes,
    async restart(number) {
      await common.processes.restart(number);
      controller.abort(new Error("interrupted by SIGTERM"));
    },
  };
  const interrupted = update({ ...common, processes, interruption: controller.signal, archive: anArchive("chekan-2") });
  await expect(interrupted).rejects.toThrow("interrupted by SIGTERM");
  expect(acts.slice(3)).toEqual(["migrate chekan-2", "restart 1 chekan-2", "restart 1 chekan-1"]);
  expect(basename(currentRelease(home) ?? "")).toBe("chekan-1");
});

test("a lost connection does not end an update; Ctrl-C and SIGTERM are left to it", () => {
  const script = `import { once } from "node:events";
    import { watchInterruption } from ${JSON.stringify(join(import.meta.dirname, "update-interruption.ts"))};
    const alive = setInterval(() => {}, 60_000);
    const signal = watchInterruption(console.log);
    for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) {
      const next = once(process, "SIGUSR2");
      process.kill(process.pid, name);
      process.kill(process.pid, "SIGUSR2");
      await next;
      console.log(name, signal.aborted);
    }
    console.log(signal.reason.message);
    clearInterval(alive);`;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect([status, stdout.trim().split("\n")]).toEqual([
    0,
    ["SIGHUP false", "SIGINT: ending in order", "SIGINT true", "SIGTERM true", "interrupted by SIGINT"],
  ]);
});

test.skipIf(platform() !== "linux")("a call to systemd does not end with the terminal of the update", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-systemctl-"));
  writeFileSync(join(folder, "systemctl"), `#!/bin/sh\ncut -d ' ' -f 6 /proc/$$/stat >"${folder}/session"\n`, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  try {
    await systemd("/etc/chekan/chekan.env").restart(1);
  } finally {
    process.env.PATH = path;
  }
  const session = readFileSync(join(folder, "session"), "utf8").trim();
  expect(session).toMatch(/^\d+$/);
  expect(session).not.toBe(readFileSync("/proc/self/stat", "utf8").split(" ")[5]);
});

/** A release whose Node is a shell script. */
function aReleaseWithNode(script: string): string {
  const release = mkdtempSync(join(tmpdir(), "chekan-lock-"));
  for (const folder of ["deploy", "bin"]) mkdirSync(join(release, folder));
  copyFileSync(join(import.meta.dirname, "update"), join(release, "deploy/update"));
  writeFileSync(join(release, "bin/node"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return join(release, "deploy/update");
}

test.skipIf(platform() !== "linux")(
  "a second update at the same time is refused, and an update after one that was killed is not",
  async () => {
    const home = mkdtempSync(join(tmpdir(), "chekan-home-"));
    const env = { ...process.env, CHEKAN_HOME: home };
    const quick = aReleaseWithNode("echo ran");
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(quick, args, { env, encoding: "utf8" });
      return [status, stdout + stderr];
    };
    const first = spawn(aReleaseWithNode("echo started; exec cat"), ["a.tar.gz"], { env, stdio: ["pipe", "pipe", "inherit"] });
    await once(first.stdout, "data");
    expect(run("b.tar.gz")).toEqual([1, "refused: another update runs on this machine\n"]);
    expect(run("--back")).toEqual([1, "refused: another update runs on this machine\n"]);
    expect(run("--verify", "b.tar.gz")).toEqual([0, "ran\n"]);
    first.kill("SIGKILL");
    await once(first, "exit");
    expect(run("b.tar.gz")).toEqual([0, "ran\n"]);
  },
);

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

test("a release that was damaged on the disk is not returned to, and an update unpacks it anew", async () => {
  const { install, home, common, acts } = await aMachine();
  const archive = anArchive("chekan-1");
  await install(archive);
  await install(anArchive("chekan-2"));
  const at = (name: string): string => join(home, "releases/chekan-1", name);
  for (const [name, text] of [
    ["app.js", "other"],
    ["release.json", ""], // as a lost power leaves files
  ] as const) {
    writeFileSync(at(name), text);
    const before = [...acts];
    await expect(rollback(common, "chekan-1")).rejects.toThrow(/app\.js is damaged|JSON/);
    expect(acts).toEqual(before);
  }
  await install(archive);
  expect([readFileSync(at("app.js"), "utf8"), acts.at(-1)]).toEqual(["chekan-1", "restart 2 chekan-1"]);
  expect(readdirSync(join(home, "releases")).toSorted()).toEqual(["chekan-1", "chekan-2"]);
});

test("an archive that does not fit on the disk is refused and deleted", async () => {
  const { install, home, acts } = await aMachine();
  const folder = mkdtempSync(join(tmpdir(), "chekan-tar-"));
  writeFileSync(join(folder, "tar"), `#!/bin/sh\necho a part >"$4/part"\necho "No space left on device" >&2\nexit 2\n`, { mode: 0o755 });
  const archive = anArchive("chekan-1");
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  try {
    await expect(install(archive)).rejects.toThrow("cannot be unpacked: No space left on device");
  } finally {
    process.env.PATH = path;
  }
  expect([acts, readdirSync(join(home, "releases"))]).toEqual([[], []]);
});

test("the service of the backup gets the scripts of a release that has proven itself, and does not make its update fail", async () => {
  const { install, common, backups } = await aMachine((build, path) => build === "chekan-3" && path === "/catalog");
  await install(anArchive("chekan-1"));
  await install(anArchive("chekan-2"));
  await expect(install(anArchive("chekan-3"))).rejects.toThrow("/catalog");
  await rollback(common, "chekan-1");
  expect(backups).toEqual(["chekan-1", "chekan-2", "chekan-1"]);
  const said: string[] = [];
  const restartBackup = (): void => {
    throw new Error("timed out");
  };
  const processes: Processes = { ...common.processes, restartBackup };
  await update({ ...common, processes, say: (line) => said.push(line), archive: anArchive("chekan-4") });
  expect(said.slice(-2)).toEqual(["the service of the backup was not restarted: timed out", "chekan-4 runs on 2 processes"]);
});

test.skipIf(platform() !== "linux")("the service of the backup is restarted where it runs, and not started where it does not", () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-systemctl-"));
  const calls = join(folder, "calls");
  const path = process.env.PATH;
  const run = (listed: string): string[] => {
    writeFileSync(calls, "");
    const script = `#!/bin/sh\necho "$*" >>"${calls}"\n[ "$1" = restart ] || echo "${listed}"\n`;
    writeFileSync(join(folder, "systemctl"), script, { mode: 0o755 });
    process.env.PATH = `${folder}:${path}`;
    try {
      systemd("/etc/chekan/chekan.env").restartBackup();
    } finally {
      process.env.PATH = path;
    }
    return readFileSync(calls, "utf8").trim().split("\n").slice(1);
  };
  expect(run("")).toEqual([]);
  expect(run("chekan-backup-wal.service loaded active running Chekan")).toEqual(["restart chekan-backup-wal.service"]);
});

test("an update unpacks for the account of the shop, whatever the umask of root", () => {
  const home = mkdtempSync(join(tmpdir(), "chekan-home-"));
  const { stdout } = spawnSync("sh", ["-c", 'umask 077; exec "$0" a.tar.gz', aReleaseWithNode("umask")], {
    env: { ...process.env, CHEKAN_HOME: home },
    encoding: "utf8",
  });
  expect(stdout.trim()).toBe("0022");
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

test("an update brings its unit files, keeps those the owner has changed, and a rollback takes them back", async () => {
  const { install, systemdFolder, common } = await aMachine((build, path) => build === "chekan-3" && path === "/catalog");
  const unit = "chekan@.service";
  const installed = (name: string): string | null =>
    existsSync(join(systemdFolder, name)) ? readFileSync(join(systemdFolder, name), "utf8") : null;
  const withUnits = (name: string, text: string) =>
    anArchive(name, {
      unitFiles: {
        [`deploy/systemd/${unit}`]: text,
        "deploy/systemd/chekan.target": text,
        "deploy/backup/chekan-backup-wal.service": text,
      },
    });
  await install(withUnits("chekan-1", "one"));
  expect([installed(unit), installed("chekan-backup-wal.service")]).toEqual(["one", null]);
  writeFileSync(join(systemdFolder, "chekan.target"), "the owner's");
  writeFileSync(join(systemdFolder, "chekan-backup-wal.service"), "one");
  const said: string[] = [];
  await update({ ...common, say: (line) => said.push(line), archive: withUnits("chekan-2", "two") });
  expect([installed(unit), installed("chekan.target"), installed("chekan-backup-wal.service")]).toEqual(["two", "the owner's", "two"]);
  expect(said).toContain("chekan.target was changed on this machine and stays; compare it with the one of chekan-2");
  await expect(install(withUnits("chekan-3", "three"))).rejects.toThrow("/catalog");
  expect([installed(unit), installed("chekan-backup-wal.service")]).toEqual(["two", "two"]);
  await rollback(common);
  expect([installed(unit), installed("chekan.target")]).toEqual(["one", "the owner's"]);
});
