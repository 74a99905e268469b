import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A release without a shop, unpacked where an operator would unpack it. */
function aRelease(folder: string, name = "chekan-1"): string {
  const release = join(folder, name);
  mkdirSync(release);
  for (const path of ["deploy", "config"]) cpSync(join(import.meta.dirname, "..", path), join(release, path), { recursive: true });
  return release;
}

function machine() {
  const folder = mkdtempSync(join(tmpdir(), "chekan-machine-"));
  const release = aRelease(folder);
  return {
    install: (env: NodeJS.ProcessEnv = {}) =>
      spawnSync(join(release, "deploy/install"), { encoding: "utf8", env: { ...process.env, DESTDIR: folder, ...env } }),
    /** The release that follows, with another version of each unit. */
    installNext: () => {
      const next = aRelease(folder, "chekan-2");
      for (const unit of ["chekan.target", "chekan@.service"]) appendFileSync(join(next, "deploy/systemd", unit), "# of chekan-2\n");
      return spawnSync(join(next, "deploy/install"), { encoding: "utf8", env: { ...process.env, DESTDIR: folder } });
    },
    path: (name: string) => join(folder, name),
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    /** As root with a stricter habit than Debian's. */
    installWithUmask: (umask: string) =>
      spawnSync("sh", ["-c", `umask ${umask}; exec "$0"`, join(release, "deploy/install")], {
        encoding: "utf8",
        env: { ...process.env, DESTDIR: folder },
      }),
  };
}

test("an installation writes settings with secrets of its own, readable by the shop only, and a second run keeps them", () => {
  const { install, path, read } = machine();
  const { status, stdout } = install();
  expect([status, stdout.includes("no database was made")]).toEqual([0, true]);
  const settings = read("etc/chekan/chekan.env");
  expect(settings).toMatch(/^SESSION_SECRET=[0-9a-f]{64}$/m);
  expect(settings).toMatch(/^DATABASE_URL=postgres:\/\/chekan:[0-9a-f]{64}@127\.0\.0\.1:5432\/chekan$/m);
  expect(statSync(path("etc/chekan/chekan.env")).mode & 0o777).toBe(0o640);
  expect(readdirSync(path("etc/chekan")).toSorted()).toEqual(["Caddyfile.chekan", "chekan.env", "shop.json"]);
  expect(readdirSync(path("etc/systemd/system"), { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "chekan.target",
    "chekan@.service",
    "postgresql@.service.d",
    "postgresql@.service.d/chekan.conf",
  ]);
  expect(install().status).toBe(0);
  expect(read("etc/chekan/chekan.env")).toBe(settings);
});

test("settings that were copied to a second machine stay as they are", () => {
  const { install, path, read } = machine();
  mkdirSync(path("etc/chekan"), { recursive: true });
  writeFileSync(path("etc/chekan/chekan.env"), "DATABASE_URL=postgres://chekan:x@10.0.0.5/chekan\n");
  const { status, stdout } = install();
  expect([status, stdout.includes("no secrets and no database were made")]).toEqual([0, true]);
  expect(read("etc/chekan/chekan.env")).toBe("DATABASE_URL=postgres://chekan:x@10.0.0.5/chekan\n");
});

test("units that the owner changed stay and are named, also when another release is installed; the others are its own", () => {
  const { install, installNext, path, read } = machine();
  expect(install().status).toBe(0);
  const unit = "etc/systemd/system/chekan@.service";
  writeFileSync(path(unit), "the owner's\n");
  const unitOf = (release: string): string => path(`opt/chekan/releases/${release}/deploy/systemd/chekan@.service`);
  const noticeFor = (release: string): string => `${path(unit)} was changed on this machine and stays; compare it with ${unitOf(release)}`;
  const noticesIn = (stdout: string): string[] => stdout.split("\n").filter((line) => line.includes("was changed"));
  const again = install();
  expect([again.status, noticesIn(again.stdout), read(unit)]).toEqual([0, [noticeFor("chekan-1")], "the owner's\n"]);

  const next = installNext();
  expect([next.status, noticesIn(next.stdout), read(unit)]).toEqual([0, [noticeFor("chekan-2")], "the owner's\n"]);
  expect(read("etc/systemd/system/chekan.target")).toMatch(/# of chekan-2\n$/);
  expect(readdirSync(path("etc/systemd/system")).toSorted()).toEqual(["chekan.target", "chekan@.service", "postgresql@.service.d"]);
});

test("a copy of the release that broke off is made again as a whole", () => {
  const { install, path } = machine();
  mkdirSync(path("bin"));
  writeFileSync(path("bin/cp"), `#!/bin/sh\nfor last; do :; done\nmkdir -p "$last/deploy" && touch "$last/a-part" && exit 1\n`);
  chmodSync(path("bin/cp"), 0o755);
  expect(install({ PATH: `${path("bin")}:${process.env.PATH}` }).status).toBe(1);
  expect(readdirSync(path("opt/chekan"))).toEqual(["releases"]);

  expect(install().status).toBe(0);
  expect(readdirSync(path("opt/chekan/releases"))).toEqual(["chekan-1"]);
  expect(readdirSync(path("opt/chekan/current")).toSorted()).toEqual(["config", "deploy"]);
});

test("the account of the shop can read what root installed, whatever its umask", () => {
  const { installWithUmask, path } = machine();
  expect(installWithUmask("077").status).toBe(0);
  const mode = (name: string): string => (statSync(path(name)).mode & 0o777).toString(8);
  expect(["opt/chekan/releases", "opt/chekan/releases/chekan-1/deploy", "opt/chekan/current/deploy/command"].map(mode)).toEqual([
    "755",
    "755",
    "755",
  ]);
  expect(["etc/systemd/system/chekan@.service", "etc/chekan/shop.json", "etc/chekan/chekan.env"].map(mode)).toEqual(["644", "644", "640"]);
});

test("the password of the database is not an argument of a program, and a database that cannot be made leaves no role behind", () => {
  const script = readFileSync(join(import.meta.dirname, "install"), "utf8");
  const [, commands = ""] = /\n\t\tcd \/ # [^\n]*\n([^]*?)\n\tfi\n/.exec(script) ?? [];
  const calls = join(mkdtempSync(join(tmpdir(), "chekan-sql-")), "calls");
  const run = (refused: string) => {
    const stubs = `password=secret; runuser() { statement=$(cat); echo "$* < $statement" >>'${calls}'; [ "\${statement#${refused}}" = "$statement" ]; }`;
    writeFileSync(calls, "");
    const { status } = spawnSync("sh", ["-euc", `${stubs}\n${commands}`], { encoding: "utf8" });
    return [status, ...readFileSync(calls, "utf8").trim().split("\n")];
  };
  const sql = (statement: string): string => `-u postgres -- psql -q -v ON_ERROR_STOP=1 < ${statement}`;
  const role = sql("create role chekan login password 'secret'");
  const database = sql("create database chekan owner chekan encoding 'UTF8' template template0");
  expect(run("nothing")).toEqual([0, role, database]);
  expect(run("create database")).toEqual([1, role, database, sql("drop role chekan")]);
  expect(run("create role")).toEqual([1, role]);
});
