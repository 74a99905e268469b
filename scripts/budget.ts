/**
 * `npm run budget`: checks the first views of the built shop against limits, in KB after Brotli: scripts, styles, the HTML with the styles
 * and pictures in it (above 42 KB a phone on a slow line needs another round trip), the preloaded fonts, the main picture of a phone, and
 * all fonts; also the number of script files, and of the requests that the HTML starts before its scripts (`ahead`). Exits with 1 when a
 * limit is exceeded.
 */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { ServerBuild } from "react-router";
import { clientFolder, officeFolder, serverEntry } from "#main/pages/build-folder.ts";
import { runShop } from "#tests/running-shop.ts";

const budget = { js: 125, css: 15, fonts: 75, firstFonts: 23, html: 41, picture: 13.5, scripts: 4, ahead: 7 };

const build = (await import(pathToFileURL(serverEntry).href)) as ServerBuild;
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
/** The size as sent; the build compresses all but the smallest files. */
const sentKb = (path: string): number => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size / 1024;

/**
 * Scripts and styles of the routes of a first view, with all static imports. The frame's file contains what the files of the entry and the
 * root name, and the router's manifest, so no page requests those files.
 */
function assetsOf(routeIds: string[]): { js: Set<string>; css: Set<string> } {
  const js = new Set<string>();
  const css = new Set<string>();
  const { entry, routes } = build.assets;
  const modules = [entry, ...routeIds.map((id) => routes[id]).filter((route) => route !== undefined)];
  for (const part of modules) {
    if (part !== entry && part !== routes.root) js.add(part.module);
    for (const path of part.imports ?? []) js.add(path);
    for (const path of ("css" in part ? part.css : undefined) ?? []) css.add(path.replace("#", ""));
  }
  return { js, css };
}

/** The pages that most visitors see first. */
const firstViews: readonly { name: string; route: string; path: string }[] = [
  { name: "home", route: "storefront/home/home-page", path: "/" },
  { name: "catalogue", route: "catalog", path: "/catalog" },
  { name: "product", route: "storefront/product/product-page", path: "/products/georgij-pobedonosec-50-rublej-2026-mmd" },
  { name: "search", route: "storefront/catalog/search/search-page", path: "/search?q=%D0%B3%D0%B5%D0%BE%D1%80%D0%B3%D0%B8%D0%B9" },
];
let isOver = false;

function check(name: string, size: number, limit: number, unit = "KB"): void {
  const over = !(size <= limit);
  isOver ||= over;
  console.log(`${name.padEnd(20)} ${size.toFixed(unit === "KB" ? 1 : 0).padStart(7)} ${unit} of ${limit}${over ? "  OVER" : ""}`);
}

/** Requests a Brotli answer; `bytes` is its length as sent. */
function answerOf(url: string, accept: string): Promise<{ bytes: number; text: string; type: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { accept, "accept-encoding": "br" } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const body = Buffer.concat(parts);
        const text = answer.headers["content-encoding"] === "br" ? brotliDecompressSync(body).toString("utf8") : "";
        if (answer.statusCode === 200) resolve({ bytes: body.length, text, type: String(answer.headers["content-type"]) });
        else reject(new Error(`${url}: ${answer.statusCode}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/**
 * The HTML of a page with its main picture in it, as phones get it. The first renders lack the picture until it has been encoded, so the
 * page is requested until it is there.
 */
async function pageWithPicture(url: string): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { text } = await answerOf(url, "text/html");
    if (text.includes("data:image/avif")) return text;
    await pause(1_000);
  }
  throw new Error(`${url}: no picture came into the page`);
}

const attribute = (tag: string, name: string): string | null => new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1] ?? null;
const shop = await runShop({ REQUEST_DEADLINE_MS: "60000" });
try {
  for (const { name, route, path } of firstViews) {
    const chain: string[] = [];
    for (let id: string | undefined = route; id !== undefined; id = build.assets.routes[id]?.parentId) chain.push(id);
    const { js, css } = assetsOf(chain);
    check(`${name} js`, sum([...js].map((path) => sentKb(join(clientFolder, path)))), budget.js);
    check(`${name} css`, sum([...css].map((path) => sentKb(join(clientFolder, path)))), budget.css);
    check(`${name} scripts`, js.size, budget.scripts, "files");
    // As a page is stored that is requested more than once (`page-cache.ts`).
    const text = await pageWithPicture(shop.url + path);
    check(`${name} html`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }).length / 1024, budget.html);
    const tags = text.match(/<(?:img|link)\b[^>]*>/g) ?? [];
    const linked = tags.filter((tag) => /^<link\b/.test(tag) && /\srel="(?:stylesheet|preload|modulepreload)"/.test(tag));
    const eager = tags.filter((tag) => /^<img\b/.test(tag) && attribute(tag, "loading") !== "lazy");
    check(`${name} ahead`, 1 + linked.length + eager.length, budget.ahead, "requests");
    const fonts = linked.flatMap((tag) => (attribute(tag, "as") === "font" ? [attribute(tag, "href") ?? ""] : []));
    check(`${name} fonts`, sum(fonts.map((path) => statSync(join(clientFolder, path)).size / 1024)), budget.firstFonts);
    // Of the main picture a phone of usual density takes the width of 480; it is shown when it has come whole.
    const main = eager.find((tag) => attribute(tag, "fetchpriority") === "high");
    const narrow = main && /(\S+) 480w/.exec(attribute(main, "srcset") ?? "")?.[1];
    if (narrow) check(`${name} picture`, (await answerOf(shop.url + narrow, "image/avif,image/webp")).bytes / 1024, budget.picture);
  }
} finally {
  await shop.stop();
}
check(
  "fonts",
  sum(globSync("assets/*.woff2", { cwd: clientFolder }).map((path) => statSync(join(clientFolder, path)).size / 1024)),
  budget.fonts,
);
// The back office: what `index.html` names is fetched before the first screen; screens come when they are opened.
const officeBudget = { js: 180, css: 15 };
const officePage = readFileSync(join(officeFolder, "index.html"), "utf8");
for (const name of ["js", "css"] as const) {
  const paths = [...officePage.matchAll(/(?:src|href)="(\/[^"]+)"/g)]
    .map(([, path = ""]) => path)
    .filter((path) => path.endsWith(`.${name}`));
  const sizes = paths.map((path) => sentKb(join(officeFolder, path)));
  check(`office ${name}`, sizes.length === 0 ? Number.NaN : sum(sizes), officeBudget[name]);
}
if (isOver) process.exit(1);
