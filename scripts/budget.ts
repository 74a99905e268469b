/**
 * The bytes of the first view, measured on the built pages: JavaScript of the first catalogue view ≤ 125 KB brotli, CSS ≤ 15 KB brotli,
 * fonts ≤ 75 KB.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import type { ServerBuild } from "react-router";
import { clientFolder, officeFolder, serverEntry } from "#main/pages/build-folder.ts";

const budget = { js: 125, css: 15, fonts: 75 };

const build = (await import(pathToFileURL(serverEntry).href)) as ServerBuild;
const brotliKb = (asset: string): number => brotliCompressSync(readFileSync(join(clientFolder, asset))).length / 1024;

/** Scripts and styles of the routes of the first catalogue view, with all static imports. */
function assetsOf(routeIds: string[]): { js: Set<string>; css: Set<string> } {
  const js = new Set<string>();
  const css = new Set<string>();
  const { entry, routes } = build.assets;
  const modules = [entry, ...routeIds.map((id) => routes[id]).filter((route) => route !== undefined)];
  for (const part of modules) {
    for (const path of [part.module, ...(part.imports ?? [])]) js.add(path);
    for (const path of ("css" in part ? part.css : undefined) ?? []) css.add(path);
  }
  return { js, css };
}

const listing =
  Object.values(build.assets.routes).find((route) => route?.path === "catalog") ??
  Object.values(build.assets.routes).find((route) => route?.id.includes("listing"));
if (!listing) throw new Error("no catalogue route in the build");
const chain: string[] = [];
for (let id: string | undefined = listing.id; id !== undefined; id = build.assets.routes[id]?.parentId) chain.push(id);
const { js, css } = assetsOf(chain);

const size = {
  js: [...js].reduce((sum, path) => sum + brotliKb(path), 0),
  css: [...css].reduce((sum, path) => sum + brotliKb(path), 0),
  fonts: globSync("assets/*.woff2", { cwd: clientFolder }).reduce((sum, path) => sum + statSync(join(clientFolder, path)).size / 1024, 0),
};
let isOver = false;
for (const name of ["js", "css", "fonts"] as const) {
  const over = size[name] > budget[name];
  isOver ||= over;
  console.log(`${name.padEnd(6)} ${size[name].toFixed(1).padStart(7)} KB of ${budget[name]} KB${over ? "  OVER" : ""}`);
}
// The back office: what `index.html` names is fetched before the first screen; screens come when they are opened.
const officeBudget = { js: 180, css: 15 };
const officePage = readFileSync(join(officeFolder, "index.html"), "utf8");
for (const name of ["js", "css"] as const) {
  const paths = [...officePage.matchAll(/(?:src|href)="(\/[^"]+)"/g)]
    .map(([, path = ""]) => path)
    .filter((path) => path.endsWith(`.${name}`));
  const total = paths.reduce((sum, path) => sum + brotliCompressSync(readFileSync(join(officeFolder, path))).length / 1024, 0);
  const over = paths.length === 0 || total > officeBudget[name];
  isOver ||= over;
  console.log(`${`office ${name}`.padEnd(10)} ${total.toFixed(1).padStart(7)} KB of ${officeBudget[name]} KB${over ? "  OVER" : ""}`);
}
if (isOver) process.exit(1);
