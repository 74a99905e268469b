/**
 * Trial of the first installation: a bare Debian machine (debootstrap, booted with its own systemd by systemd-nspawn, without a network)
 * gets a signed release by the commands of deploy/README.md, in their order and as they are written; only the editor is replaced, and the
 * packages are installed before the machine is booted, with the network of this one. The shop must answer over TLS and HTTP/2 from both
 * processes, take an order, invite the first admin and check its ledger; `deploy/update` must install a second release, also on a process
 * that only works; PostgreSQL must come back after a crash and after a full disk. At most ten commands and fifteen
 * minutes. Needs root and Debian's `debootstrap` and `systemd-container`; otherwise it is skipped. A certificate of a public authority is
 * not tried: Caddy issues its own for `localhost`. `--short`: without the update.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { writeRealSettings } from "#tests/real-settings.ts";
import { findProgram } from "./machines/debian.ts";
import { packRelease, unpackRelease } from "./machines/releases.ts";
import { drill, isShort, pause, say, skip } from "./stage/run.ts";
import { writeKeys } from "../release/signature.ts";

const maxCommands = 10;
const maxMs = 15 * 60_000;
const readme = join(import.meta.dirname, "../../deploy/README.md");
const authority = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";

const debootstrap = process.getuid?.() === 0 ? findProgram("debootstrap") : null;
const nspawn = debootstrap === null ? null : findProgram("systemd-nspawn", "systemd-container");
if (process.getuid?.() !== 0) skip("root is needed");
if (debootstrap === null) skip("Debian's package debootstrap is missing and cannot be installed here");
if (nspawn === null) skip("Debian's package systemd-container is missing and cannot be installed here");

/** The commands of the first installation, one a line. */
function commandsOf(page: string): string[] {
  const [, block = ""] = /## First installation[^]*?```sh\n([^]*?)```/.exec(page) ?? [];
  return block.split("\n").filter((line) => line.trim() !== "");
}

type Machine = {
  folder: string;
  /** Runs a shell command on the booted machine; throws with its output. */
  run(command: string): string;
  close(): Promise<void>;
};

const inFolder = (folder: string): string[] => ["--quiet", "--register=no", "--keep-unit", "-D", folder];

/** The files of a new Debian of the version of this machine, kept between runs as an archive. */
function bareDebian(bootstrap: string, folder: string): string {
  const [, suite = "stable"] = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8")) ?? [];
  const archive = `/var/tmp/chekan-debian-${suite}.tar`;
  if (existsSync(archive)) must("tar", ["-xpf", archive, "-C", folder]);
  else {
    must(bootstrap, ["--variant=minbase", "--include=systemd,systemd-sysv,dbus", suite, folder]);
    must("tar", ["-cf", `${archive}.part`, "-C", folder, "."]);
    renameSync(`${archive}.part`, archive);
  }
  return suite;
}

/** A machine without a network; `install` runs before it is booted, with this machine's. */
async function bootMachine(container: string, folder: string, install: string): Promise<Machine> {
  must(container, [...inFolder(folder), "--setenv=DEBIAN_FRONTEND=noninteractive", "sh", "-c", install]);
  const booted = spawn(container, [...inFolder(folder), "--private-network", "--boot"], { stdio: "ignore" });
  const leader = await leaderOf(booted.pid ?? 0);
  const enter = ["--target", String(leader), "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd"];
  const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", LANG: "C.UTF-8" };
  const run = (command: string): string => must("nsenter", [...enter, "bash", "-c", `cd /root && ${command}`], env);
  for (let tries = 0; !/running|degraded/.test(run("{ systemctl is-system-running || true; }")); tries += 1) {
    if (tries > 240) throw new Error("the machine does not boot");
    await pause(500);
  }
  return {
    folder,
    run,
    async close() {
      const gone = new Promise((resolve) => booted.once("exit", resolve));
      process.kill(leader, "SIGKILL"); // the first process of its name space: all others end with it
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The first process of the machine: the child of systemd-nspawn that runs its systemd. */
async function leaderOf(container: number): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    for (const pid of childrenOf(container)) if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "systemd") return pid;
    await pause(200);
  }
  throw new Error("systemd does not start in the machine");
}
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean)
    .map(Number)
    .flatMap((child) => [child, ...childrenOf(child)]);

function must(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", env, maxBuffer: 64 * 1024 ** 2 });
  if (status !== 0) throw new Error(`${args.at(-1)}: ${error?.message ?? `${stdout}${stderr}`.trim().slice(-2_000)}`);
  return `${stdout}${stderr}`;
}

/** Writes what the operator enters into the file that the command opens; false: the command opens none. */
function isEdited({ folder }: Machine, command: string): boolean {
  const [, path] = /^editor (\S+)$/.exec(command) ?? [];
  if (path === undefined) return false;
  const at = join(folder, path);
  if (path.endsWith(".json")) {
    const own = mkdtempSync("/var/tmp/chekan-settings-");
    copyFileSync(writeRealSettings(own), at);
    rmSync(own, { recursive: true });
    return true;
  }
  const entered: Record<string, string> = {
    PUBLIC_URL: "https://localhost",
    SMTP_URL: "smtp://127.0.0.1:25",
    MAIL_FROM: "shop@chekan.trial",
    YOOKASSA_SHOP_ID: "100500",
  };
  const text = readFileSync(at, "utf8").replaceAll(/^([A-Z_]+)=(.*)$/gm, (line, name: string, value: string) =>
    entered[name] !== undefined ? `${name}=${entered[name]}` : value === "" ? `${name}=trial` : line,
  );
  writeFileSync(at, text);
  return true;
}

const folder = mkdtempSync("/var/tmp/chekan-install-");

await drill(
  async () => {
    const keys = writeKeys(folder);
    const original = unpackRelease(folder);
    const privateKey = readFileSync(keys.privatePath, "utf8");
    const first = packRelease(original, privateKey);
    const second = isShort ? null : packRelease(renamed(original, `${basename(original)}-second`), privateKey);
    say("releases made");
    const at = join(folder, "machine");
    mkdirSync(at);
    say(`bare Debian ${bareDebian(debootstrap, at)}`);
    const [install = "", ...commands] = commandsOf(readFileSync(readme, "utf8"));
    const from = performance.now();
    const machine = await bootMachine(nspawn, at, install);
    say(`booted after: ${install}`);
    give(machine, first);
    copyFileSync(keys.publicPath, join(machine.folder, "root/release.pub"));
    const close = async () => {
      await machine.close();
      rmSync(folder, { recursive: true, force: true });
    };
    return { machine, commands, second, from, close };
  },
  async ({ machine, commands, second, from }) => {
    const wrong: string[] = [];
    for (const command of commands) {
      if (isEdited(machine, command)) {
        say(command);
        continue;
      }
      const filled = command.replace("<your domain>", "localhost").replace("you@your.domain", "owner@chekan.trial");
      const output = machine.run(filled);
      say(filled);
      if (filled.includes("openssl") && !/Signature Verified Successfully[^]*: OK/.test(output)) wrong.push(`not verified: ${output}`);
      if (filled.includes("staff invite") && !output.includes("http://localhost:3021/"))
        wrong.push(`the invitation leads elsewhere: ${output}`);
    }
    await isServing(machine);
    const took = performance.now() - from;
    say(`${commands.length + 1} commands, ${(took / 60_000).toFixed(1)} minutes`);
    if (commands.length + 1 > maxCommands) wrong.push(`the page has ${commands.length + 1} commands, at most ${maxCommands} are permitted`);
    if (took > maxMs) wrong.push("the installation took longer than 15 minutes");

    wrong.push(...asVisitor(machine), ...asPrometheus(machine));
    machine.run("systemctl is-active chekan@1 chekan@2 caddy");
    say(machine.run("/opt/chekan/current/deploy/command check-ledger").trim().split("\n")[0] ?? "");
    const faults = machine.run(
      "systemd-analyze verify /etc/systemd/system/chekan* " +
        "/opt/chekan/current/deploy/backup/*.service /opt/chekan/current/deploy/backup/*.timer 2>&1 || true",
    );
    wrong.push(...faults.split("\n").filter((line) => line.includes("chekan")));
    machine.run("caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile");
    if (second !== null) wrong.push(...(await updateTo(machine, second)));
    wrong.push(...(await postgresComesBack(machine)));
    return wrong;
  },
);

/** An update of two processes that serve and one that only works, set up as deploy/several-machines.md says. */
async function updateTo(machine: Machine, archive: string): Promise<string[]> {
  const idsOf = (): string[] => machine.run("systemctl show --property=MainPID --value chekan@1 chekan@2 chekan@3").trim().split(/\s+/);
  machine.run("echo PROCESS=worker > /etc/chekan/process-3.env && systemctl enable --now chekan@3");
  const before = idsOf();
  give(machine, archive);
  const lines = machine
    .run(`/opt/chekan/current/deploy/update /root/${basename(archive)}`)
    .trim()
    .split("\n");
  for (const line of lines) say(line);
  const after = idsOf();
  await isServing(machine);
  const kept = after.filter((id, index) => id === "0" || id === before[index]).length;
  return [
    ...asVisitor(machine),
    ...(kept > 0 ? [`${kept} of 3 processes were not restarted by the update`] : []),
    ...(lines.some((line) => line.includes("process 3 (worker) is ready")) ? [] : [`no worker in the update: ${lines.join(" | ")}`]),
  ];
}

/**
 * PostgreSQL, its log included, is on a small disk: it is killed, then the disk fills up until it ends, and is freed. It must come back
 * each time with all orders, and the shop must go on, without a hand.
 */
async function postgresComesBack(machine: Machine): Promise<string[]> {
  const { run } = machine;
  const unit = run("systemctl list-units --plain --no-legend 'postgresql@*' | cut -d ' ' -f 1").trim();
  const shown = (property: string): string => run(`systemctl show --property=${property} --value ${unit}`).trim();
  const inForce = ["Restart", "RestartUSec", "StartLimitIntervalUSec"].map(shown).join(" ");
  if (inForce !== "on-failure 5s 0") return [`the addition to ${unit} is not in force: ${inForce}`];
  run(
    `systemctl stop 'chekan@*' ${unit} && cd /var/lib && mv postgresql postgresql.was && mkdir postgresql && ` +
      "mount -t tmpfs -o size=$(($(du -sm postgresql.was | cut -f 1) + 64))m,mode=755 tmpfs postgresql && " +
      `cp -a postgresql.was/. postgresql && chown postgres: postgresql && systemctl start ${unit} chekan@1 chekan@2`,
  );
  await isServing(machine);
  const ask = (statement: string): string => run(`cd / && runuser -u postgres -- psql -XAtc "${statement}" chekan || true`).trim();
  const orders = ask("select count(*) from orders");
  const shop = (): string => run("systemctl show --property=MainPID --value chekan@1 chekan@2").trim();
  const before = shop();
  const isBack = async (): Promise<boolean> => {
    for (let tries = 0; tries < 60; tries += 1) {
      if (ask("select count(*) from orders") === orders) return true;
      await pause(1_000);
    }
    return false;
  };

  run(`kill -9 ${shown("MainPID")}`);
  if (!(await isBack())) return [`PostgreSQL did not come back after a crash: ${ask("select 1")}`];
  const restarts = Number(shown("NRestarts"));
  run("head -c 10G /dev/zero > /var/lib/postgresql/filler || true");
  // A segment of the log that cannot be made ends PostgreSQL, and its recovery needs one as well.
  ask("select count(pg_logical_emit_message(false, 'fill', repeat('x', 1000000))) from generate_series(1, 1200)");
  let tries = 0;
  while (Number(shown("NRestarts")) < restarts + 2 && tries < 60) {
    await pause(1_000);
    tries += 1;
  }
  if (tries === 60) return [`PostgreSQL is not started again while the disk is full: ${run(`systemctl status ${unit} || true`)}`];
  run("rm /var/lib/postgresql/filler");
  if (!(await isBack())) return [`PostgreSQL did not come back when the disk was freed: ${ask("select 1")}`];
  await isServing(machine);
  say(`PostgreSQL came back after kill -9, and from a full disk by ${Number(shown("NRestarts")) - restarts} starts, with ${orders} orders`);
  return [...(shop() === before ? [] : ["the shop was restarted"]), ...asVisitor(machine)];
}

function give({ folder: at }: Machine, archive: string): void {
  for (const suffix of ["", ".sha256", ".sha256.sig"]) cpSync(`${archive}${suffix}`, join(at, "root", `${basename(archive)}${suffix}`));
}

/** Waits until a page is answered through Caddy and both processes are ready: the first of them answers while the other one starts. */
async function isServing({ run }: Machine): Promise<void> {
  const addresses = ["https://localhost/catalog", "http://127.0.0.1:3011/readyz", "http://127.0.0.1:3012/readyz"];
  const script =
    `Promise.all(${JSON.stringify(addresses)}.map((each) => fetch(each).then((a) => a.status)))` +
    `.then((all) => console.log(all.every((each) => each === 200) ? 200 : all), (e) => console.log(String(e.cause ?? e)));`;
  let last = "";
  for (let tries = 0; tries < 90; tries += 1) {
    last = run(`NODE_EXTRA_CA_CERTS=${authority} /opt/chekan/current/bin/node -e '${script}'`).trim();
    if (last.endsWith("200")) return;
    await pause(1_000);
  }
  throw new Error(`the shop answers ${last}\n${run("journalctl -u chekan@1 -u caddy -n 30 --no-pager")}`);
}

/** What `installed-shop.ts` finds wrong: pages, assets, a stream and an order over HTTP/2, the back office. */
function asVisitor({ folder: at, run }: Machine): string[] {
  copyFileSync(join(import.meta.dirname, "machines/installed-shop.ts"), join(at, "root/installed-shop.ts"));
  const output = run(`NODE_EXTRA_CA_CERTS=${authority} NODE_NO_WARNINGS=1 /opt/chekan/current/bin/node installed-shop.ts`);
  const wrong = JSON.parse(output.trim().split("\n").at(-1) ?? "") as string[];
  say(`pages, an asset, a stream and an order over HTTP/2, the back office: ${wrong.length} faults`);
  return wrong;
}

/** What is wrong for Prometheus, which requests a process under its own address with the token: both disks of the machine are watched. */
function asPrometheus({ run }: Machine): string[] {
  const script =
    `const [, token] = /^METRICS_TOKEN=(.*)$/m.exec(require("fs").readFileSync("/etc/chekan/chekan.env", "utf8"));` +
    `fetch("http://127.0.0.1:3011/metrics", { headers: { authorization: "Bearer " + token } })` +
    `.then(async (a) => console.log(a.status, await a.text()), (e) => console.log(String(e.cause ?? e)));`;
  const figures = run(`/opt/chekan/current/bin/node -e '${script}'`);
  const missing = ["data", "database"].filter((disk) => !figures.includes(`shop_disk_free_bytes{disk="${disk}"}`));
  say(`figures for Prometheus: ${missing.length} faults`);
  return missing.map((disk) => `the disk ${disk} is not watched: ${figures.slice(0, 200)}`);
}

/** The same release under another name. */
function renamed(original: string, name: string): string {
  const at = join(original, "..", name);
  mkdirSync(at);
  for (const each of readdirSync(original)) cpSync(join(original, each), join(at, each), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(at, "release.json"), "utf8")) as { name: string };
  writeFileSync(join(at, "release.json"), JSON.stringify({ ...manifest, name }));
  return at;
}
