import { spawn } from "node:child_process";
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { buildFolder, clientFolder, officeFolder, serverEntry, stampFile } from "./pages/build-folder.ts";
import { appStamp, officeStamp, pagesStamp } from "./build-stamps.ts";

const root = join(import.meta.dirname, "../..");
const officeStampFile = join(buildFolder, "office-stamp");
const appStampFile = join(buildFolder, "app-stamp");
const appEntry = join(buildFolder, "app/start.js");

/** Builds the parts whose build was not made from the present sources. Returns their names. */
export async function buildIfNeeded(): Promise<string[]> {
  const built: string[] = [];
  const pages = pagesStamp();
  if (!existsSync(serverEntry) || !isStamped(stampFile, pages)) {
    await run(join(root, "node_modules/@react-router/dev/bin.cjs"), ["build"]);
    joinManifest(clientFolder);
    await compressAssets(clientFolder);
    writeFileSync(stampFile, pages);
    built.push("pages");
  }
  const office = officeStamp();
  if (!existsSync(join(officeFolder, "index.html")) || !isStamped(officeStampFile, office)) {
    await run(join(root, "node_modules/vite/bin/vite.js"), ["build", "--config", join(root, "vite.office.config.ts")]);
    await compressAssets(officeFolder);
    writeFileSync(officeStampFile, office);
    built.push("back office");
  }
  return built;
}

/** Bundles the server with the built pages, for a start without sources and build tools. `npm start` does without it. */
async function bundleIfNeeded(): Promise<string[]> {
  const app = appStamp();
  if (existsSync(appEntry) && isStamped(appStampFile, app)) return [];
  await run(join(root, "node_modules/vite/bin/vite.js"), ["build", "--config", join(root, "vite.server.config.ts")]);
  writeFileSync(appStampFile, app);
  return ["server"];
}

const isStamped = (file: string, stamp: string): boolean => existsSync(file) && readFileSync(file, "utf8") === stamp;

function run(script: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_ENV: "production" },
    });
    const abandon = () => child.kill(); // a start that fails while building leaves no partial build
    process.once("exit", abandon);
    child.once("exit", () => process.off("exit", abandon));
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a part does not build:\n${output.slice(-4_000)}`))));
  });
}

/**
 * Appends the router's manifest to the frame's file, whose name `vite.config.ts` makes of all sources: the manifest names the other files
 * by the hashes of their contents, and that file too. React Router writes it as a file of its own; no option of it spares that file.
 */
function joinManifest(folder: string): void {
  const [manifest, ...manifests] = globSync("assets/manifest-*.js", { cwd: folder });
  const [shell, ...shells] = globSync("assets/shell-*.js", { cwd: folder });
  if (manifest === undefined || shell === undefined || manifests.length + shells.length > 0)
    throw new Error(`${folder} has not one manifest of the router and one file of the frame`);
  appendFileSync(join(folder, shell), readFileSync(join(folder, manifest), "utf8"));
}

/** The second one makes the largest scripts smaller by a thousandth. */
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_NDIRECT]: 15 };

/** Compresses assets once at build time with the best ratio, so that serving them costs no processor time. */
async function compressAssets(folder: string): Promise<void> {
  const files = globSync("**/*.{js,css,svg,json,txt}", { cwd: folder });
  await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name);
      const raw = readFileSync(path);
      if (raw.length < 1_024) return;
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(raw, { params: brotliParams }));
      writeFileSync(`${path}.gz`, await promisify(gzip)(raw, { level: 9 }));
    }),
  );
}

if (import.meta.main) {
  const started = performance.now();
  const built = [...(await buildIfNeeded()), ...(await bundleIfNeeded())];
  console.log(
    built.length > 0
      ? `${built.join(", ")} built in ${((performance.now() - started) / 1000).toFixed(1)} s`
      : "pages, back office and server are up to date",
  );
}
