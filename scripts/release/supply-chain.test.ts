import { readFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Of } from "./signature.ts";
import { knownRuntimes, runtimeFault, supplyChainFaults } from "./supply-chain.ts";

const root = join(import.meta.dirname, "../..");

const good = { version: "1.0.0", resolved: "https://registry.npmjs.org/a/-/a-1.0.0.tgz", integrity: "sha512-x", license: "MIT" };
const faultsOf = (entry: object, allowScripts = {}, folder = "node_modules/a") =>
  supplyChainFaults({ [folder]: { ...good, ...entry } }, allowScripts);

test("a package from the registry with a hash and a usual licence is in order", () => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ license: "(GPL-3.0 OR MIT)" })).toEqual([]);
});

test("a package without a hash is refused, unless it is a listed tool for another platform", () => {
  expect(faultsOf({ integrity: undefined })).toEqual(["node_modules/a: no hash in the lock file"]);
  const tool = "node_modules/@oxlint/binding-win32-x64-msvc";
  expect(faultsOf({ integrity: undefined, optional: true, dev: true }, {}, tool)).toEqual([]);
  expect(faultsOf({ integrity: undefined, optional: true }, {}, tool)).toHaveLength(1);
});

test("a package from another place, or under another licence, is refused", () => {
  expect(faultsOf({ resolved: "git+ssh://git@github.com/a/a.git" })).toHaveLength(1);
  expect(faultsOf({ license: "GPL-3.0" })).toEqual(["node_modules/a: licence GPL-3.0 is not allowed"]);
  expect(faultsOf({ license: "MIT AND GPL-3.0" })).toHaveLength(1);
  expect(faultsOf({ license: undefined })).toHaveLength(1);
  expect(faultsOf({ license: undefined }, {}, "node_modules/png-js")).toEqual([]);
});

test("an install script must be allowed or denied by name", () => {
  expect(faultsOf({ hasInstallScript: true })).toHaveLength(1);
  expect(faultsOf({ hasInstallScript: true }, { a: false })).toEqual([]);
});

test("only the Node whose hash is written down may be in a release, and it is the one of package.json", () => {
  const [known] = knownRuntimes;
  if (!known) throw new Error("no Node is known");
  expect(runtimeFault(known)).toBeNull();
  expect(runtimeFault({ ...known, sha256: "0".repeat(64) })).toContain(`instead of ${known.sha256}`);
  expect(runtimeFault({ ...known, version: "26.10.1" })).toContain("Node 26.10.1 for linux-x64 is not in");
  expect(runtimeFault({ ...known, platform: "linux-arm64" })).toContain("linux-arm64 is not in");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: Record<string, string> };
  expect(knownRuntimes.map(({ version }) => version)).toEqual(knownRuntimes.map(() => dependencies.node));
});

test("npm refuses install scripts without a decision, and takes every Node that the README permits", () => {
  const settings = readFileSync(join(root, ".npmrc"), "utf8").split("\n");
  expect(settings).toContain("strict-allow-scripts=true");
  // It would compare the Node that runs npm with what each package requires. The packages run with the Node among them, npm with any from
  // 20.
  expect(settings.filter((line) => line.startsWith("engine-strict"))).toEqual([]);
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  expect(packages[""]?.engines?.node).toBe(">=20");
  expect(packages["node_modules/react-router"]?.engines?.node).toMatch(/^>=22/);
});

const here = knownRuntimes.find((each) => each.platform === `${platform()}-${arch()}`);
test.skipIf(here === undefined)("the Node that was installed here is the known one", () => {
  expect(sha256Of(readFileSync(join(root, "node_modules/node/bin/node")))).toBe(here?.sha256);
});
