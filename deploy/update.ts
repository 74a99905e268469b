/**
 * `deploy/update <archive>`: installs a release and restarts the processes one by one; returns to the release before when a check fails.
 * `deploy/update --back [release]`: returns to an installed release. `--verify <archive>`: checks signature and checksum only. A lost
 * connection ends neither of them; Ctrl-C and SIGTERM take an update back, and do not stop a return.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { settingIn, systemd, systemdUnits } from "./processes.ts";
import { rollback, update } from "./release-change.ts";
import { watchInterruption } from "./update-interruption.ts";
import { UpdateRefusedError, verifyArchive } from "./verify.ts";

const home = process.env.CHEKAN_HOME ?? "/opt/chekan";
const environmentFile = process.env.CHEKAN_ENV ?? "/etc/chekan/chekan.env";
const publicKeyPath = process.env.CHEKAN_PUBLIC_KEY ?? "/etc/chekan/release.pub";
const [first, second] = process.argv.slice(2);
const say = (line: string): void => console.log(line);

try {
  if (first === undefined) throw new UpdateRefusedError("usage: deploy/update <archive> | --back [release] | --verify <archive>");
  if (first === "--verify") {
    verifyArchive(resolve(second ?? ""), readFileSync(publicKeyPath, "utf8"));
    say("signature and checksum are right");
  } else {
    const interruption = watchInterruption(say);
    const { host } = new URL(settingOf("PUBLIC_URL"));
    const common = {
      home,
      units: systemdUnits(environmentFile),
      processes: systemd(environmentFile),
      hostOf: () => host,
      say,
    };
    if (first === "--back") await rollback(common, second);
    else await update({ ...common, archive: resolve(first), publicKey: readFileSync(publicKeyPath, "utf8"), interruption });
  }
} catch (error) {
  console.error(error instanceof UpdateRefusedError ? `refused: ${error.message}` : `failed: ${(error as Error).message}`);
  process.exitCode = 1;
}

/** A variable of the shop's environment file. */
function settingOf(name: string): string {
  const value = settingIn(environmentFile, name);
  if (!value) throw new UpdateRefusedError(`${environmentFile}: ${name} is missing`);
  return value;
}
