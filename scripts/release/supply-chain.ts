import { nameOf, type Lock } from "./packages.ts";

/** Licences under which a package may be used without a further look. */
const allowedLicences = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Unlicense",
  "CC0-1.0",
  "Zlib",
  "Python-2.0",
]);

/** Packages under other licences, with the reason why they are accepted. A name may end with `*`. */
export const licenceExceptions: Readonly<Record<string, string>> = {
  "@img/sharp*": "LGPL-3.0: libvips is loaded as a library of its own and can be replaced",
  "axe-core": "MPL-2.0: used by tests only, unchanged",
  "lightningcss*": "MPL-2.0: used by the build only, unchanged",
  "caniuse-lite": "CC-BY-4.0: data for the build, nothing of it is shipped",
  "png-js": "MIT by its file LICENSE; its package.json does not say so",
  sentry: "FSL-1.1-Apache-2.0: the command line program behind @sentry/node, neither started nor shipped",
};

/** Optional packages for other platforms whose hashes are not in the lock file, with the reason. */
export const integrityExceptions: Readonly<Record<string, string>> = {
  "@oxlint/binding-*": "development tool for another platform, never installed where releases are built",
  "@oxlint-tsgolint/*": "development tool for another platform, never installed where releases are built",
  "@oxc-parser/binding-*": "parser of a development tool for another platform, never installed where releases are built",
};

/** Node as a release contains it. `platform` as in `linux-x64`. */
export type Runtime = { version: string; platform: string; sha256: string };

/**
 * SHA-256 of the Node that a release may contain. The lock file has none: the install script of the package `node` fetches the program. A
 * new version: compare the program with the one in the archive of nodejs.org, whose checksums are signed, then write its hash here.
 */
export const knownRuntimes: readonly Runtime[] = [
  {
    version: "26.10.0",
    platform: "linux-x64",
    sha256: "ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da",
  },
];

/** Why a release may not contain this Node; null: it may. */
export function runtimeFault({ version, platform, sha256 }: Runtime): string | null {
  const known = knownRuntimes.find((each) => each.version === version && each.platform === platform);
  if (known === undefined) return `Node ${version} for ${platform} is not in scripts/release/supply-chain.ts`;
  return known.sha256 === sha256 ? null : `Node ${version} for ${platform} has SHA-256 ${sha256} instead of ${known.sha256}`;
}

/** Where the package `node` keeps what its install script fetched. */
export const folderOfNode = ({ platform }: Pick<Runtime, "platform">): string => `node_modules/node/node_modules/node-${platform}`;

const registry = "https://registry.npmjs.org/";

const isListed = (list: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.keys(list).some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name));

/** `(MIT OR GPL-3.0)` is allowed by one part, `MIT AND Apache-2.0` by all. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => allowedLicences.has(part.trim())));

/** What is wrong with the packages of the lock file, one line each. `allowScripts` is that of package.json. */
export function supplyChainFaults(lock: Lock, allowScripts: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(lock).flatMap(([folder, entry]) => {
    const name = nameOf(folder);
    const faults: string[] = [];
    if (entry.integrity === undefined && !(entry.optional && entry.dev && isListed(integrityExceptions, name)))
      faults.push(`${folder}: no hash in the lock file`);
    if (entry.resolved !== undefined && !entry.resolved.startsWith(registry)) faults.push(`${folder}: comes from ${entry.resolved}`);
    if (entry.hasInstallScript && allowScripts[name] === undefined)
      faults.push(`${folder}: has an install script that allowScripts neither allows nor denies`);
    if (!isAllowed(entry.license ?? "none") && !isListed(licenceExceptions, name))
      faults.push(`${folder}: licence ${entry.license ?? "none"} is not allowed`);
    return faults;
  });
}
