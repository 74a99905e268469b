import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "../stage/run.ts";

const original = join(import.meta.dirname, "../../../deploy/Caddyfile");

/** `deploy/Caddyfile` for the address `host` (`http://localhost:3000`: without TLS) and these ports of processes. */
const caddyfileFor = (host: string, ports: readonly number[]): string =>
  readFileSync(original, "utf8")
    .replace("{\n\tservers {", "{\n\tadmin off\n\tauto_https off\n\tservers {")
    .replaceAll("127.0.0.1:3011 127.0.0.1:3012", ports.map((port) => `127.0.0.1:${port}`).join(" "))
    .replace(/^shop\.example \{/m, `${host} {`)
    .replace("Host shop.example", `Host ${new URL(host).host}`);

/** Debian's Caddy as deploy/README.md sets it up, on the port of `url` and without TLS. */
export async function startCaddy(program: string, url: string, ports: readonly number[]): Promise<{ close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "chekan-caddy-"));
  const settings = join(folder, "Caddyfile");
  writeFileSync(settings, caddyfileFor(url, ports));
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const checked = spawnSync(program, ["validate", "--adapter", "caddyfile", "--config", settings], { env, encoding: "utf8" });
  if (checked.status !== 0) throw new Error(`deploy/Caddyfile: ${checked.stderr}`);
  const child = spawn(program, ["run", "--adapter", "caddyfile", "--config", settings], { env, stdio: "ignore" });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for (let tries = 0; (await statusOf(url)) === 0; tries += 1) {
    if (tries === 100 || child.exitCode !== null) throw new Error("Caddy does not answer");
    await pause(100);
  }
  return {
    async close() {
      child.kill("SIGKILL"); // streams would delay a graceful end
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const statusOf = (url: string): Promise<number> =>
  fetch(`${url}/healthz`).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => 0,
  );
