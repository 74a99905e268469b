import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const root = join(import.meta.dirname, "../..");
export const buildFolder = join(root, "build");
const clientIn = (folder: string): string => join(folder, "client");
export const clientFolder = clientIn(buildFolder);
export const serverEntry = join(buildFolder, "server/index.js");
const stampFile = join(buildFolder, "stamp");

/** A build of the pages: client files, server bundle and version. */
export type Build = { client: string; server: string; version: string };
export const buildIn = (folder: string): Build => ({
  client: clientIn(folder),
  server: join(folder, "server/index.js"),
  version: versionOf(join(folder, "stamp")),
});

/** Fingerprint of everything that the pages are built from. If it is unchanged, the build is up to date. */
function sourceStamp(): string {
  const hash = createHash("sha256");
  const files = globSync(
    [
      "src/web/**/*",
      "src/contract/**/*.ts",
      "src/shop/**/*.ts",
      "src/kit/**/*.ts",
      "vite.config.ts",
      "react-router.config.ts",
      "package-lock.json",
    ],
    { cwd: root, withFileTypes: true },
  );
  for (const path of files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()) {
    if (!path.endsWith(".test.ts")) hash.update(path.slice(root.length)).update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** The version that open pages compare with theirs every hour. */
export const buildVersion = (): string => versionOf(stampFile);
const versionOf = (stamp: string): string => (existsSync(stamp) ? readFileSync(stamp, "utf8").slice(0, 12) : "unbuilt");

/** Builds the pages unless the existing build was made from the present sources. Returns whether it built. */
export async function buildIfNeeded(): Promise<boolean> {
  const stamp = sourceStamp();
  if (existsSync(serverEntry) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return false;
  await run(join(root, "node_modules/@react-router/dev/bin.cjs"), ["build"]);
  await compressAssets();
  writeFileSync(stampFile, stamp);
  return true;
}

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
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`the pages do not build:\n${output.slice(-4_000)}`))));
  });
}

/** Compresses assets once at build time with the best ratio, so that serving them costs no processor time. */
async function compressAssets(): Promise<void> {
  const files = globSync("**/*.{js,css,svg,json,txt}", { cwd: clientFolder });
  await Promise.all(
    files.map(async (name) => {
      const path = join(clientFolder, name);
      const raw = readFileSync(path);
      if (raw.length < 1_024) return;
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      writeFileSync(`${path}.gz`, await promisify(gzip)(raw, { level: 9 }));
    }),
  );
}

if (import.meta.main) {
  const started = performance.now();
  const built = await buildIfNeeded();
  console.log(built ? `pages built in ${((performance.now() - started) / 1000).toFixed(1)} s` : "pages are up to date");
}
