import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Names of files below systemd's folder. */
export type UnitFileChange = {
  changed: string[];
  /** The release brings another version, but the owner has changed the installed one, or the release before cannot be compared. */
  kept: string[];
};

/**
 * Copies the unit files of a release, and its additions to units of Debian, into systemd's folder. A file that differs from that of the
 * release before was changed by the owner and stays. Those of `deploy/backup` are set up by hand, so they are replaced where they are
 * installed, and not added. Idempotent; deletes nothing.
 */
export function copyUnitFiles(release: string, before: string | null, systemdFolder: string): UnitFileChange {
  const change: UnitFileChange = { changed: [], kept: [] };
  for (const { folder, name, isAdded } of unitFilesIn(release)) {
    const path = join(folder, name);
    const installed = read(join(systemdFolder, name));
    if (installed === read(join(release, path)) || (installed === null && !isAdded)) continue;
    if (installed === null || (before !== null && installed === read(join(before, path)))) {
      mkdirSync(dirname(join(systemdFolder, name)), { recursive: true });
      replaceWhole(join(systemdFolder, name), readFileSync(join(release, path)));
      change.changed.push(name);
    } else change.kept.push(name);
  }
  return change;
}

/** A full disk, or a lost power, must not leave a part of a unit file: the shop would not start after the next boot. */
function replaceWhole(path: string, bytes: Buffer): void {
  const part = `${path}.part`;
  try {
    writeFileSync(part, bytes, { flush: true });
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Folders of the release, names below them, and whether a file that is not installed is added. */
const unitFilesIn = (release: string) =>
  (
    [
      ["deploy/systemd", true],
      ["deploy/backup", false],
    ] as const
  ).flatMap(([folder, isAdded]) =>
    namesIn(join(release, folder))
      .filter((name) => /\.(service|target|timer|conf)$/.test(name))
      .map((name) => ({ folder, name, isAdded })),
  );

const namesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted() : [];
const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);
