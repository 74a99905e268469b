import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Fingerprint of all files that one part is built from. If it is unchanged, the build is up to date. */
function stampOf(patterns: string[], isLeftOut: (path: string) => boolean): string {
  const hash = createHash("sha256");
  const files = globSync(["src/shop/**/*.ts", "src/kit/**/*.ts", "package-lock.json", ...patterns], { cwd: root, withFileTypes: true });
  for (const path of files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()) {
    const name = path.slice(root.length);
    if (!path.endsWith(".test.ts") && !isLeftOut(name)) hash.update(name).update(readFileSync(path));
  }
  return hash.digest("hex");
}

// Pages and back office import nothing of each other: a change of one does not build the other.
/** Of the pages; also a part of the name of their shared file (`vite.config.ts`). */
export const pagesStamp = (): string =>
  stampOf(["src/web/**/*", "src/contract/**/*.ts", "src/main/build.ts", "vite.config.ts", "react-router.config.ts"], (name) =>
    /^.src.(web.office|contract.staff)./.test(name),
  );
/** Of the back office. */
export const officeStamp = (): string =>
  stampOf(["src/web/{office,ui,styles,fonts,images}/**/*", "src/contract/staff/**/*.ts", "vite.office.config.ts"], () => false);
/** Of the bundled server, which contains the built pages too. */
export const appStamp = (): string => {
  const server = stampOf(["src/**/*.ts", "db/seed/*.ts", "deploy/*.ts", "vite.server.config.ts"], (name) => /^.src.web.office./.test(name));
  return `${pagesStamp()} ${server}`;
};
