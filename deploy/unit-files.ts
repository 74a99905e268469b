import { copyFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Names of files. */
export type UnitFileChange = {
  changed: string[];
  /** The release brings another version, but the owner has changed the installed one, or the release before cannot be compared. */
  kept: string[];
};

/**
 * Copies the unit files of a release into systemd's folder. A file that differs from that of the release before was changed by the owner
 * and stays. Those of `deploy/backup` are set up by hand, so they are replaced where they are installed, and not added. Idempotent; deletes
 * nothing.
 */
export function copyUnitFiles(release: string, before: string | null, systemdFolder: string): UnitFileChange {
  const change: UnitFileChange = { changed: [], kept: [] };
  for (const [path, isAdded] of unitFilesIn(release)) {
    const name = path.split("/").at(-1) ?? path;
    const installed = read(join(systemdFolder, name));
    if (installed === read(join(release, path)) || (installed === null && !isAdded)) continue;
    if (installed === null || (before !== null && installed === read(join(before, path)))) {
      copyFileSync(join(release, path), join(systemdFolder, name));
      change.changed.push(name);
    } else change.kept.push(name);
  }
  return change;
}

/** Paths below the release, and whether a file that is not installed is added. */
const unitFilesIn = (release: string): [string, boolean][] =>
  (
    [
      ["deploy/systemd", true],
      ["deploy/backup", false],
    ] as const
  ).flatMap(([folder, isAdded]) =>
    namesIn(join(release, folder))
      .filter((name) => /\.(service|target|timer)$/.test(name))
      .map((name): [string, boolean] => [`${folder}/${name}`, isAdded]),
  );

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);
