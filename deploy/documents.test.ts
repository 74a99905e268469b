import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const pages = ["deploy/README.md", "deploy/several-machines.md", "docs/runbook.md"].map(read).join("\n");

test("folders that machines share may be written under the unit", () => {
  const [, writable = "nowhere"] = /^ReadWritePaths=-(\S+)$/m.exec(read("deploy/systemd/chekan@.service")) ?? [];
  const shared = [...pages.matchAll(/\b(?:ASSETS_DIR|IMAGE_CACHE_DIR)=(\/[^`\s]+)/g)].map(([, path]) => path);
  expect(shared).toHaveLength(2);
  for (const path of shared) expect(path).toMatch(new RegExp(`^${writable}/`));
});

test("the instructions name programs of deploy that exist, and commands that deploy/command accepts", () => {
  const named = new Set([...pages.matchAll(/\/opt\/chekan\/current\/(deploy\/[\w@./-]+)/g)].map(([, path = ""]) => path));
  expect([...named].filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  const accepted = [...read("deploy/command").matchAll(/^([a-z:| -]+)\) (?:exec|program)/gm)].flatMap(([, names = ""]) =>
    names.split(" | "),
  );
  // `docker compose run` names the service between the program and its arguments.
  const used = [...pages.matchAll(/deploy\/command (?:shop-1 )?([a-z-]+)/g)].map(([, name]) => name);
  expect(used.length).toBeGreaterThan(4);
  expect(accepted).toEqual(expect.arrayContaining(used));
});

test("shell scripts can be parsed", () => {
  const scripts = globSync("deploy/{*,backup/*}", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /^#!.*sh$/.test(readFileSync(path, "utf8").split("\n", 1)[0] ?? ""));
  expect(scripts.length).toBeGreaterThanOrEqual(7);
  for (const path of [...scripts, join(root, "deploy/backup/lib.sh")])
    expect([path, spawnSync("bash", ["-n", path], { encoding: "utf8" }).stderr]).toEqual([path, ""]);
});

test("what containers print is limited, for each of them", () => {
  const lines = read("deploy/compose.yaml").split("\n");
  const count = (line: string): number => lines.filter((each) => each.trim() === line).length;
  expect(count("logging: *logging")).toBe(count("restart: always"));
  expect(count("max-size: 50m")).toBe(1);
});

test("a container is healthy when it serves, not as soon as it listens, and also while the database is away", () => {
  const [, address] = /^HEALTHCHECK .*fetch\('http:\/\/127\.0\.0\.1:3000(.*?)'\)/m.exec(read("deploy/Containerfile")) ?? [];
  const [, ofBalancer] = /health_uri (\S+)/.exec(read("deploy/Caddyfile")) ?? [];
  expect([address, ofBalancer]).toEqual(["/readyz?without=database", "/readyz?without=database"]);
});

const compose = read("deploy/compose.yaml");
/** What compose.yaml says of a service. */
const service = (name: string): string => new RegExp(`\\n  ${name}:[^\\n]*\\n((?: {4,}[^\\n]*\\n)*)`).exec(compose)?.[1] ?? "";

test("a process in a container may do no more than one of the units", () => {
  const unit = read("deploy/systemd/chekan@.service");
  expect(unit).toMatch(/^NoNewPrivileges=yes$[^]*^CapabilityBoundingSet=$/m);
  const [, shop = ""] = /\nx-shop: &shop\n([^]*?)\n\n/.exec(compose) ?? [];
  expect(shop).toContain('  cap_drop: [ALL]\n  security_opt: ["no-new-privileges:true"]\n');
});

test("npm run serve, units, containers and measurements give a process the same options", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const ways = [
    scripts.serve ?? "",
    ...["deploy/systemd/chekan@.service", "deploy/Containerfile", "scripts/bench/load/built-shop.ts"].map(read),
  ];
  const options = [
    "--max-old-space-size=768",
    "--max-semi-space-size=4",
    "--no-parallel-scavenge",
    "--heap-growing-percent=100",
    "--no-allocation-site-pretenuring",
  ];
  for (const way of ways) {
    const [command = ""] = /--max-old[^]*?build\/app\/start\.js/.exec(way) ?? [];
    const arenas = /MALLOC_ARENA_MAX(?:=|: ")(\d+)/.exec(way)?.[1];
    expect([command.match(/--[a-z-]+(=\d+)?/g), arenas]).toEqual([options, "1"]);
  }
});

test("containers are backed up by the scripts of the units, with the programs of their PostgreSQL", () => {
  const image = read("deploy/backup/Containerfile");
  const [, server] = /image: (\S+)/.exec(service("postgres")) ?? [];
  expect(server).toMatch(/postgres:\d+$/);
  expect(image).toContain(`\nFROM ${server}\n`);
  expect(service("backup")).toMatch(/^ {4}restart: always$/m);
  const programs = [/^ENTRYPOINT \["(.*)"\]$/m.exec(image)?.[1] ?? "", /entrypoint: (\S+)/.exec(service("restore"))?.[1] ?? ""];
  const scripts = ["container", "restore"].map((name) => `deploy/backup/${name}`);
  expect(programs).toEqual(scripts.map((path) => `/opt/chekan/current/${path}`));
  for (const path of scripts) expect([path, statSync(join(root, path)).mode & 0o111]).toEqual([path, 0o111]);
  for (const name of ["base", "prove"])
    expect(read(`deploy/backup/chekan-backup-${name}.timer`)).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d:00$/m);
});

test("each folder that the settings of the backup name is a volume of its container", () => {
  const mounts = [...service("backup").matchAll(/^ {6}- \S+?:(\/[\w/-]+)/gm)].map(([, at = ""]) => at);
  const example = read("deploy/backup/backup.env.example");
  const named = ["BACKUP_TO", "BACKUP_SPOOL", "BACKUP_KEY_FILE", "BACKUP_SCRATCH"].map(
    (name) => new RegExp(`^#?${name}=(/\\S+)$`, "m").exec(example)?.[1] ?? "",
  );
  const files = /^BACKUP_FILES="([^"]+)"$/m.exec(read("deploy/README.md"))?.[1]?.split(/\s+/) ?? [];
  expect(files.length).toBeGreaterThan(3);
  const isKept = (path: string): boolean => mounts.some((mount) => path === mount || path.startsWith(`${mount}/`));
  expect([...named, ...files].filter((path) => !isKept(path))).toEqual([]);
});

test("the examples of containers name the document that sets up their backups", () => {
  const [head = ""] = compose.split("\nx-logging:");
  expect(head).toMatch(/NOTHING MAKES BACKUPS[^]*Backups of containers/);
  const [, section = ""] = /\n### Backups of containers\n([^]*?)\n## /.exec(read("deploy/README.md")) ?? [];
  const [, network] = /host replication backup (\S+) scram-sha-256/.exec(section) ?? [];
  expect(compose).toContain(`- subnet: ${network}\n`);
  const used = [...section.matchAll(/docker compose (?:exec|logs|run|up)(?: --entrypoint \S+| -[-\w]+)* ([a-z][a-z\d-]*)/g)];
  const names = new Set(used.map(([, name]) => name));
  expect(names).toEqual(new Set(["backup", "postgres", "restore", "shop-1"]));
  for (const name of names) expect(compose).toContain(`\n  ${name}:`);
  const example = read("deploy/backup/backup.env.example");
  for (const [, name] of section.matchAll(/^([A-Z_]+)=/gm)) expect(example).toContain(`\n${name}=`);
});

test("a command of the shop does not write its arguments into the journal", () => {
  expect(read("deploy/command")).toMatch(/systemd-run .*--description="Chekan: \$name" /);
});

test("a machine of PostgreSQL without the shop gets what brings PostgreSQL back", () => {
  const [, page = ""] = /\n1\. \*\*Database\*\*([^]*?)\n2\. /.exec(read("deploy/several-machines.md")) ?? [];
  const [, from = "", machine, to] = /scp -r (\S+) (root@\S+):(\S+)\n/.exec(page) ?? [];
  expect(readUnit(from)).toMatch(/^Restart=on-failure$/m);
  expect([to, page.includes(`ssh ${machine} systemctl daemon-reload`)]).toEqual(["/etc/systemd/system/", true]);
});
const readUnit = (folder: string): string => read(join(folder.replace("/opt/chekan/current/", ""), "chekan.conf"));

test("every setting that the backup scripts read is in the example of backup.env", () => {
  const scripts = ["base", "wal", "prove", "restore", "container", "lib.sh"].map((name) => read(`deploy/backup/${name}`)).join("\n");
  // BACKUP_ENV names the file itself; BACKUP_PROOF_HOURS is a setting of the shop.
  const used = new Set([...scripts.matchAll(/\b(?:BACKUP_[A-Z_]+|PG_BIN)\b/g)].map(([name]) => name));
  const named = new Set([...read("deploy/backup/backup.env.example").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
  expect([...used].filter((name) => !named.has(name)).toSorted()).toEqual(["BACKUP_ENV", "BACKUP_PROOF_HOURS"]);
});

test("after a lost disk every process with a file of its own is enabled again, before all are started", () => {
  const [, lines = ""] = /\n5\. The shop\.[^]*?```sh\n([^]*?)```/.exec(read("docs/runbook.md")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "chekan-lost-disk-"));
  const run = () => {
    const commands = lines.replace(/^.*check-ledger$/m, "").replaceAll("/etc/chekan", folder);
    const { status, stdout } = spawnSync("bash", ["-ec", `systemctl() { echo "$*"; }\n${commands}`], { encoding: "utf8" });
    return [status, ...stdout.trim().split("\n")];
  };
  const start = ["enable --now chekan.target", "reload caddy"];
  expect(run()).toEqual([0, ...start]);
  for (const name of ["process-3.env", "process-4.env", "chekan.env"]) writeFileSync(join(folder, name), "PROCESS=worker\n");
  expect(run()).toEqual([0, "enable chekan@3", "enable chekan@4", ...start]);
});

test("the files beside the database are copied and restored with it", () => {
  expect(read("deploy/backup/backup.env.example")).toMatch(/add \/etc\/pgbouncer where it is used/);
  const [, lost = ""] = /\n### The disk is lost\n([^]*?)\n## /.exec(read("docs/runbook.md")) ?? [];
  const steps = lost.split(/\n(?=\d\. )/);
  expect(steps.find((step) => step.startsWith("1. "))).toMatch(/`pgbouncer` if its `DATABASE_URL` names port 6432/);
  expect(steps.find((step) => step.startsWith("3. "))).toContain("cp -a /root/restored/etc/pgbouncer/. /etc/pgbouncer/");
});

test("a back office in a process of its own has the address that its invitations name", () => {
  const page = read("deploy/several-machines.md");
  const [, port] = /PROCESS=office\\nSTAFF_PORT=(\d+)/.exec(page) ?? [];
  expect(port).toMatch(/^302\d$/);
  expect(page).toContain(`\nSTAFF_PORT=off\nSTAFF_URL=http://localhost:${port}\n`);
  expect(page).toContain(`ssh -L ${port}:127.0.0.1:${port}`);
});

test("a second machine does not get the folder of the first one's PostgreSQL", () => {
  const [, command = ""] = /^ +ssh root@<second machine> (sed .*)$/m.exec(read("deploy/several-machines.md")) ?? [];
  const file = join(mkdtempSync(join(tmpdir(), "chekan-second-")), "chekan.env");
  writeFileSync(file, "PUBLIC_URL=https://a.b\nDATABASE_DIR=/var/lib/postgresql/17/main\nDATABASE_URL=x\n");
  const { status } = spawnSync("sh", ["-c", command.replace("/etc/chekan/chekan.env", file)]);
  expect([status, readFileSync(file, "utf8")]).toEqual([0, "PUBLIC_URL=https://a.b\nDATABASE_URL=x\n"]);
});
