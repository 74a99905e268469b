/**
 * `npm run release`: one archive `build/release/chekan-<version>-<commit>.tar.gz` that runs on a machine with nothing installed: Node, the
 * bundled server, pages, migrations and the few packages that are not bundled. Beside it its SHA-256, and the signature of that when
 * `RELEASE_KEY` names a private key. The tree must be committed; two archives of one commit are equal.
 *
 * `npm run release -- --keys <folder>` writes a new pair of keys. `--unpacked <folder>` writes the files of a release below that folder
 * instead of an archive, also from a tree with changes: for drills.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import { buildFolder } from "#main/pages/build-folder.ts";
import { billOfMaterials, licencesOf } from "./release/documents.ts";
import { filesOf, packagesOf } from "./release/files.ts";
import { closureOf, readLock } from "./release/packages.ts";
import { checksumLine, sha256Of, signatureOf, writeKeys } from "./release/signature.ts";
import { runtimeFault } from "./release/supply-chain.ts";
import { gzipOf, tarOf, type TarFile } from "./release/tar.ts";

const root = join(import.meta.dirname, "..");
const maxPackages = 80;
/** Packages in the scripts of the pages; the bundle of the server names its own. */
const inPages = ["@base-ui/react", "@simplewebauthn/browser", "react", "react-dom", "react-router", "zod"];

const [option, folder] = process.argv.slice(2);
if (option === "--keys") {
  const { privatePath, publicPath } = writeKeys(folder ?? ".");
  console.log(`${privatePath} signs releases and stays secret (RELEASE_KEY); ${publicPath} belongs to every machine that is updated`);
  process.exit(0);
}
run("git", ["rev-parse", "--git-dir"]);
if (option !== "--unpacked" && git("status", "--porcelain") !== "") {
  console.error("cannot make a release: the tree has changes that are not committed");
  process.exit(1);
}
const nodeProgram = readFileSync(process.execPath);
const node = { version: process.versions.node, platform: `${platform()}-${arch()}`, sha256: sha256Of(nodeProgram) };
const fault = runtimeFault(node);
if (fault !== null) {
  console.error(`cannot make a release: ${fault}`);
  process.exit(1);
}
run(process.execPath, [join(root, "src/main/build.ts")]);

const commit = git("rev-parse", "HEAD");
const date = new Date(git("show", "-s", "--format=%cI", "HEAD"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const name = `chekan-${version}-${commit.slice(0, 12)}`;
const lock = readLock(root);
const packages = packagesOf(root, lock);
if (packages.length > maxPackages) throw new Error(`${packages.length} packages, at most ${maxPackages} may be shipped`);
const bundled = JSON.parse(readFileSync(join(buildFolder, "app/packages.json"), "utf8")) as string[];
const shipped = [...new Set([...packages, ...bundled, ...closureOf(root, lock, inPages)])].toSorted();

const files = [
  ...filesOf(root, packages),
  { path: "bin/node", mode: 0o755 as const, bytes: nodeProgram },
  text("package.json", `${JSON.stringify({ name: "chekan", version, private: true, type: "module" }, null, 2)}\n`),
  text("sbom.json", billOfMaterials(root, lock, shipped, node, date)),
  text("LICENCES.txt", licencesOf(root, lock, shipped, node)),
].toSorted((a, b) => (a.path < b.path ? -1 : 1));
const manifest = {
  name,
  version,
  commit,
  date: date.toISOString(),
  node: process.version,
  platform: node.platform,
  build: readFileSync(join(buildFolder, "stamp"), "utf8").slice(0, 12),
  migrations: files.flatMap(({ path }) => /^db\/migrations\/(.+)\.sql$/.exec(path)?.[1] ?? []),
  packages: packages.length,
  files: Object.fromEntries(files.map(({ path, bytes }) => [path, sha256Of(bytes)])),
};
if (option === "--unpacked") {
  const at = join(folder ?? ".", name);
  for (const { path, mode, bytes } of [...files, manifestFile()]) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), bytes, { mode });
  }
  console.log(at);
  process.exit(0);
}
const archive = gzipOf(
  tarOf(
    [...files, manifestFile()].map((file) => ({ ...file, path: `${name}/${file.path}` })),
    date,
  ),
);

const out = join(buildFolder, "release");
mkdirSync(out, { recursive: true });
const path = join(out, `${name}.tar.gz`);
const line = checksumLine(archive, `${name}.tar.gz`);
writeFileSync(path, archive);
writeFileSync(`${path}.sha256`, line);
const key = process.env.RELEASE_KEY;
if (key) writeFileSync(`${path}.sha256.sig`, signatureOf(line, readFileSync(key, "utf8")));
console.log(
  `${path}: ${(archive.length / 1024 ** 2).toFixed(0)} MB, ${packages.length} packages, ${shipped.length} licences, ` +
    (key ? "signed" : "not signed: RELEASE_KEY names no key"),
);

function manifestFile(): TarFile {
  return text("release.json", `${JSON.stringify(manifest, null, 1)}\n`);
}

function text(path: string, content: string): TarFile {
  return { path, mode: 0o644, bytes: Buffer.from(content) };
}

function git(...args: string[]): string {
  return run("git", args).trim();
}

function run(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stderr}`);
  return stdout;
}
