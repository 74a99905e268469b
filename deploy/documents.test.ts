import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
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

test("who starts the containers reads that nothing copies their database", () => {
  const [head = ""] = read("deploy/compose.yaml").split("\nx-logging:");
  expect(head).toMatch(/NOTHING HERE MAKES BACKUPS/);
  const [, section = ""] = /\n## Containers\n([^]*?)\n## /.exec(read("deploy/README.md")) ?? [];
  expect(section).toMatch(/\*\*These containers have no backups\.\*\*/);
  const [, service] = /docker compose exec -T (\S+) pg_dump/.exec(section) ?? [];
  expect(read("deploy/compose.yaml")).toContain(`\n  ${service}:\n`);
});

test("every setting that the backup scripts read is in the example of backup.env", () => {
  const scripts = ["base", "wal", "prove", "restore", "lib.sh"].map((name) => read(`deploy/backup/${name}`)).join("\n");
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

test("what stands beside the database is copied and comes back with it", () => {
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
