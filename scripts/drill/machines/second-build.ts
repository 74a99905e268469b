import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildFolder } from "#main/pages/build-folder.ts";

/** `name-HASH.js`: the build's name of an asset. */
const hashed = /^(.+)-([A-Za-z0-9_-]{8})(\.\w+)$/;

/**
 * Another build of the same pages: every hashed asset has another name, and all references are changed, as after a release that changed
 * every file. Made by renaming, because a second build would take longer than the test. Below the first build, where Node finds its
 * packages.
 */
export function makeSecondBuild(): { folder: string; remove(): void } {
  const folder = join(buildFolder, "second");
  rmSync(folder, { recursive: true, force: true });
  for (const part of ["client", "server", "stamp"]) cpSync(join(buildFolder, part), join(folder, part), { recursive: true });
  renameAssets(folder);
  const stamp = readFileSync(join(folder, "stamp"), "utf8");
  writeFileSync(join(folder, "stamp"), `${stamp.slice(1)}${stamp[0]}`);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Gives every hashed asset of a build another name, and changes all references. The compressed twins are left out. */
export function renameAssets(folder: string): void {
  for (const twin of globSync("client/**/*.{br,gz}", { cwd: folder })) rmSync(join(folder, twin));

  const renamed = new Map<string, string>();
  for (const path of globSync("client/assets/**/*", { cwd: folder })) {
    const [, name = "", hash = "", ending = ""] = hashed.exec(basename(path)) ?? [];
    if (hash === "") continue;
    const other = `${name}-${hash.slice(1)}${hash[0]}${ending}`;
    const fresh = other === basename(path) ? `${name}-${"0".repeat(8)}${ending}` : other;
    renamed.set(basename(path), fresh);
    renameSync(join(folder, path), join(folder, dirname(path), fresh));
  }
  for (const path of globSync("{client,server,app}/**/*.{js,css,json,html}", { cwd: folder })) {
    const text = readFileSync(join(folder, path), "utf8");
    writeFileSync(
      join(folder, path),
      text.replaceAll(/[\w.-]+-[\w-]{8}\.\w+/g, (name) => renamed.get(name) ?? name),
    );
  }
}
