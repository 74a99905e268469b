import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#tests/postgres.ts";
import { pause } from "../../drill/stage/run.ts";

const root = join(import.meta.dirname, "../../..");

/** How an installation starts a process: as `npm run serve`, the units and the image do. */
export const served = {
  args: [
    "--max-old-space-size=768",
    "--max-semi-space-size=4",
    "--no-parallel-scavenge",
    "--heap-growing-percent=100",
    "--no-allocation-site-pretenuring",
    join(root, "build/app/start.js"),
  ],
  env: { MALLOC_ARENA_MAX: "1" },
};

/** Builds what is not up to date. */
export function build(): void {
  const { status } = spawnSync(process.execPath, [join(root, "src/main/build.ts")], { stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
}

export type BuiltShop = { url: string; pid: number; stop(): Promise<void> };

/** The built shop in its own process, as an installation starts it, but as a demo. Resolves when it is ready. */
export async function runBuiltShop(env: Record<string, string>): Promise<BuiltShop> {
  build();
  const folder = mkdtempSync(join(tmpdir(), "chekan-shop-"));
  const port = String(await freePort());
  const child = spawn(process.execPath, served.args, {
    env: {
      ...process.env,
      ...served.env,
      NODE_ENV: "production",
      SHOP_DEMO: "1",
      PORT: port,
      STAFF_PORT: String(await freePort()),
      DATA_DIR: folder,
      LOG_LEVEL: "warn",
      // The disk of the machine is not what is measured.
      DISK_ALARM_PERCENT: "0",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => child.kill());
  const url = `http://localhost:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the shop ended with ${child.exitCode}`);
    await pause(20);
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
