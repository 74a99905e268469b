import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const buildFolder = join(import.meta.dirname, "../../../build");
const clientIn = (folder: string): string => join(folder, "client");
export const clientFolder = clientIn(buildFolder);
export const serverEntry = join(buildFolder, "server/index.js");
/** The app of the back office: a build of its own. */
export const officeFolder = join(buildFolder, "office");
/** Identifies the sources that the pages were built from. */
export const stampFile = join(buildFolder, "stamp");

/** A build of the pages: client files, server bundle and version. */
export type Build = { client: string; server: string; version: string };
/** The build of the pages in this folder; its version is `unbuilt` when nothing was built there. */
export const buildIn = (folder: string): Build => ({
  client: clientIn(folder),
  server: join(folder, "server/index.js"),
  version: versionOf(join(folder, "stamp")),
});
/** The pages inside the bundled server (vite.server.config.ts), which share its modules. */
export const bundledPages = join(buildFolder, "app/pages.js");

/** The version that open pages compare with theirs every hour. */
export const buildVersion = (): string => versionOf(stampFile);
const versionOf = (stamp: string): string => (existsSync(stamp) ? readFileSync(stamp, "utf8").slice(0, 12) : "unbuilt");
