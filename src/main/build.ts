import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { buildFolder, clientFolder, officeFolder, serverEntry, stampFile } from "./pages/build-folder.ts";

const root = join(import.meta.dirname, "../..");
const officeStampFile = join(buildFolder, "office-stamp");
const appStampFile = join(buildFolder, "app-stamp");
const appEntry = join(buildFolder, "app/start.js");

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
const pagesStamp = (): string =>
  stampOf(["src/web/**/*", "src/contract/**/*.ts", "vite.config.ts", "react-router.config.ts"], (name) =>
    /^.src.(web.office|contract.staff)./.test(name),
  );
const officeStamp = (): string =>
  stampOf(["src/web/{office,ui,styles,fonts,images}/**/*", "src/contract/staff/**/*.ts", "vite.office.config.ts"], () => false);
/** The bundle contains the built pages too. */
const appStamp = (): string => {
  const server = stampOf(["src/**/*.ts", "db/seed/*.ts", "deploy/*.ts", "vite.server.config.ts"], (name) => /^.src.web.office./.test(name));
  return `${pagesStamp()} ${server}`;
};

/** Builds the parts whose build was not made from the present sources. Returns their names. */
export async function buildIfNeeded(): Promise<string[]> {
  const built: string[] = [];
  const pages = pagesStamp();
  if (!existsSync(serverEntry) || !isStamped(stampFile, pages)) {
    await run(join(root, "node_modules/@react-router/dev/bin.cjs"), ["build"]);
    joinEntry(clientFolder);
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
 * Appends the entry to the file with the router's manifest, which no option of the router spares: a page requests both last and together.
 * The name of the file is a hash of the manifest, which names the entry by its hash, so another content has another name.
 */
function joinEntry(folder: string): void {
  const [name, ...others] = globSync("assets/manifest-*.js", { cwd: folder });
  if (name === undefined || others.length > 0) throw new Error(`${folder} has not one manifest of the router`);
  const manifest = readFileSync(join(folder, name), "utf8");
  const [, entry] = /"entry":\{"module":"([^"]+)"/.exec(manifest) ?? [];
  if (entry === undefined) throw new Error("the manifest of the router names no entry");
  writeFileSync(join(folder, name), `${manifest}\n${readFileSync(join(folder, entry), "utf8")}`);
}

/** Compresses assets once at build time with the best ratio, so that serving them costs no processor time. */
async function compressAssets(folder: string): Promise<void> {
  const files = globSync("**/*.{js,css,svg,json,txt}", { cwd: folder });
  await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name);
      const raw = readFileSync(path);
      if (raw.length < 1_024) return;
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
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
