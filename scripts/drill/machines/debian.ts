import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const places = ["/usr/sbin", "/usr/bin", "/usr/local/bin"];
const programAt = (name: string): string | null => places.map((place) => join(place, name)).find((path) => existsSync(path)) ?? null;

/**
 * The path of a program. Where it is missing and may be installed (as root on Debian), its package is installed. Null: it is not available
 * here, and the caller says which package it lacks.
 */
export const findProgram = (name: string, debianPackage = name): string | null => fromPackage(debianPackage, () => programAt(name));

/** What `find` finds, if need be after the installation of the package. Null: as above. */
export function fromPackage(debianPackage: string, find: () => string | null): string | null {
  const found = find();
  if (found !== null || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return found;
  const install = (): boolean =>
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", debianPackage], {
      stdio: "ignore",
      // At run level 1 the package does not start its own service.
      env: { ...process.env, RUNLEVEL: "1", DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  // A machine whose lists of packages are old, or absent, needs them first.
  if (!install() && spawnSync("apt-get", ["update"], { stdio: "ignore" }).status === 0) install();
  return find();
}
