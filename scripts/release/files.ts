import { spawnSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { closureOf, type Lock } from "./packages.ts";
import type { TarFile } from "./tar.ts";

/** Packages that the bundle imports (`external` in vite.server.config.ts). The embedded database is for development only. */
const unbundled = ["sharp", "pdfkit", "fontkit"];

const dataFiles = [
  "db/migrations/*.sql",
  "db/migrations/meta/_journal.json",
  "db/seed/{data,documents,media}/**/*",
  "src/kit/documents/fonts/*",
  "src/web/images/*",
  "config/*",
  "deploy/**/*",
  "docs/{runbook,retention}.md",
  "docs/decisions/*.md",
  ".env.example",
];
const builtFiles = ["build/{app,client,office}/**/*", "build/stamp"];

/** Folders of the packages that a release contains. */
export const packagesOf = (root: string, lock: Lock): string[] => closureOf(root, lock, unbundled);

/** What a release takes from the built tree at `root`: data files, the build and the packages, with their paths in the release. */
export function filesOf(root: string, packages: readonly string[]): TarFile[] {
  const tracked = new Set(spawnSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).stdout.split("\n"));
  return [
    ...matching(root, dataFiles).filter(({ path }) => tracked.has(path)),
    ...matching(root, builtFiles),
    ...packages.flatMap((each) =>
      matching(root, [`${each}/**/*`]).filter(({ path }) => !/\/node_modules\/|\.(map|md|d\.[cm]?ts)$/.test(path.slice(each.length))),
    ),
  ];
}

const matching = (root: string, patterns: string[]): TarFile[] =>
  globSync(patterns, { cwd: root })
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => ({ path, mode: statSync(join(root, path)).mode & 0o100 ? 0o755 : 0o644, bytes: readFileSync(join(root, path)) }));
