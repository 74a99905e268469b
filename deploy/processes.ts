import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRole, type Unit } from "./roles.ts";
import { copyUnitFiles, type UnitFileChange } from "./unit-files.ts";
import { UpdateRefusedError } from "./verify.ts";

/** How the processes of the shop are run. A process is known by its number, 1 to 9. */
export type Processes = {
  /** The port of its public listener. */
  portOf(process: number): number;
  /** Runs a command of a release (`build/app/<command>.js`) with the shop's environment, and waits for it. Throws with its output. */
  runOnce(release: string, command: string): Promise<void>;
  /** Makes systemd, if it runs the processes, use the unit files of a release. */
  useUnitFiles(release: string, before: string | null): UnitFileChange;
  /** Stops the process in order and starts it from the current release. */
  restart(process: number): Promise<void>;
  /** Starts the service of the backup's log anew, if it runs on this machine, from the current release. */
  restartBackup(): void;
};

/** The units of deploy/systemd. */
export const systemd = (environmentFile: string): Processes => ({
  portOf: (process) => 3010 + process,
  async runOnce(release, command) {
    run("systemd-run", [
      "--wait",
      "--pipe",
      "--collect",
      "--quiet",
      "--property=User=chekan",
      `--property=EnvironmentFile=${environmentFile}`,
      "--setenv=SHOP_DEMO=0",
      "--setenv=DATA_DIR=/var/lib/chekan",
      join(release, "bin/node"),
      join(release, `build/app/${command}.js`),
    ]);
  },
  useUnitFiles(release, before) {
    const change = copyUnitFiles(release, before, "/etc/systemd/system");
    if (change.changed.length > 0) run("systemctl", ["daemon-reload"]);
    return change;
  },
  async restart(process) {
    run("systemctl", ["restart", `chekan@${process}.service`]);
  },
  restartBackup() {
    const listed = run("systemctl", ["list-units", "--plain", "--no-legend", "--state=active,activating", backupUnit]);
    if (listed.includes(backupUnit)) run("systemctl", ["restart", backupUnit]);
  },
});

const backupUnit = "chekan-backup-wal.service";

/**
 * The units that are meant to run on this machine: those that are active or have failed. The role of each is the last
 * `PROCESS` of its environment files, the shop's and its own.
 */
export function systemdUnits(environmentFile: string): Unit[] {
  const listed = run("systemctl", [
    "list-units",
    "--all",
    "--plain",
    "--no-legend",
    "--state=active,activating,failed",
    "chekan@*.service",
  ]);
  return unitsIn(listed, (number) => [environmentFile, join(dirname(environmentFile), `process-${number}.env`)]);
}

export function unitsIn(listed: string, filesOf: (number: number) => readonly string[]): Unit[] {
  return [...listed.matchAll(/^chekan@(\S+)\.service/gm)].map(([, instance = ""]) => {
    // Its ports have one digit for it, and the rules of a firewall name those (several-machines.md).
    if (!/^[1-9]$/.test(instance)) throw new UpdateRefusedError(`chekan@${instance}: the number of a process is 1 to 9`);
    const number = Number(instance);
    const role = filesOf(number).reduce((last, file) => settingIn(file, "PROCESS") ?? last, "all");
    if (!isRole(role)) throw new UpdateRefusedError(`chekan@${number}: PROCESS=${role} is no role of this release`);
    return { number, role };
  });
}

/** A variable of an environment file; undefined: there is no such file, or it does not name the variable. */
export function settingIn(file: string, name: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findLast((each) => each.startsWith(`${name}=`));
  return line?.slice(name.length + 1).replaceAll(/^["']|["']$/g, "");
}

/** In a session of its own, so that a signal of the terminal (Ctrl-C, a lost connection) does not interrupt the calls to systemd. */
function run(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync("setsid", ["--wait", program, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
  return stdout;
}

/** Children of this process, for drills on a machine without systemd. `home` is the folder with the link `current`. */
export function localProcesses(options: {
  home: string;
  env: Record<string, string | undefined>;
  envOf(process: number): Record<string, string>;
  portOf(process: number): number;
}): Processes & { start(process: number): void; stopAll(): Promise<void> } {
  const { home, env, envOf, portOf } = options;
  const children = new Map<number, ChildProcess>();
  const log = openSync(join(home, "shop.log"), "a");
  const start = (process: number): void => {
    const release = join(home, "current");
    const child = spawn(join(release, "bin/node"), ["--max-old-space-size=768", join(release, "build/app/start.js"), "--serve"], {
      cwd: home,
      env: { ...env, ...envOf(process), PORT: String(portOf(process)) },
      stdio: ["ignore", log, log],
    });
    children.set(process, child);
  };
  async function stop(process: number): Promise<void> {
    const child = children.get(process);
    children.delete(process);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await gone;
  }
  return {
    portOf,
    runOnce: (release, command) =>
      new Promise((resolve, reject) => {
        const output = openSync(join(home, "command.log"), "w");
        const child = spawn(join(release, "bin/node"), [join(release, `build/app/${command}.js`)], {
          cwd: home,
          env: { ...env, ...envOf(1), PORT: String(portOf(1)) },
          stdio: ["ignore", output, output],
        });
        child.once("error", reject);
        child.once("exit", (code) =>
          code === 0
            ? resolve()
            : reject(new Error(`${command} ended with ${code}: ${readFileSync(join(home, "command.log"), "utf8").trim()}`)),
        );
      }),
    useUnitFiles: () => ({ changed: [], kept: [] }),
    async restart(process) {
      await stop(process);
      start(process);
    },
    restartBackup: () => {},
    start,
    async stopAll() {
      await Promise.all([...children.keys()].map(stop));
    },
  };
}
