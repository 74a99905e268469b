import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nameOf, type Lock } from "./packages.ts";
import { folderOfNode, type Runtime } from "./supply-chain.ts";

type Component = {
  name: string;
  version: string;
  type?: string;
  "bom-ref"?: string;
  purl?: string;
  cpe?: string;
  hashes?: { alg: "SHA-256"; content: string }[];
  licenses?: { license: { id: string } }[];
};
type Bill = {
  serialNumber?: string;
  metadata: { timestamp: string; component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/**
 * CycloneDX list of what is shipped: Node, and npm's list without packages that the release does not contain. Without the number and time
 * of its making, so that two releases of one commit are equal.
 */
export function billOfMaterials(root: string, lock: Lock, shipped: readonly string[], node: Runtime, date: Date): string {
  const { stdout, status, stderr } = spawnSync(
    "npm",
    ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only", "--offline"],
    { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 },
  );
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
  const bill = JSON.parse(stdout) as Bill;
  const refs = new Set(shipped.map((folder) => `${nameOf(folder)}@${lock[folder]?.version}`));
  delete bill.serialNumber;
  bill.metadata.timestamp = date.toISOString();
  bill.metadata.component.name = "chekan"; // npm takes the name of the folder
  const packages = bill.components.filter(({ name, version }) => refs.has(`${name}@${version}`));
  bill.components = [componentOf(node), ...packages];
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** CycloneDX 1.5, "platform": a runtime environment which interprets or executes software. */
const componentOf = ({ version, sha256 }: Runtime): Component => ({
  "bom-ref": `nodejs@${version}`,
  type: "platform",
  name: "nodejs",
  version,
  hashes: [{ alg: "SHA-256", content: sha256 }],
  licenses: [{ license: { id: "MIT" } }],
  cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
  purl: `pkg:generic/nodejs@${version}`,
});

/** Names, versions, licences and licence texts of Node and the shipped packages. */
export function licencesOf(root: string, lock: Lock, shipped: readonly string[], node: Runtime): string {
  const packages = shipped.map((folder) => {
    const { version = "", license = "see below" } = lock[folder] ?? {};
    return { heading: `${nameOf(folder)} ${version}: ${license}`, folder };
  });
  return [{ heading: `Node.js ${node.version}: MIT, with parts under other licences`, folder: folderOfNode(node) }, ...packages]
    .map(({ heading, folder }) => [heading, ...licenceTexts(join(root, folder))].join("\n\n"))
    .join(`\n\n${"-".repeat(80)}\n\n`);
}

const licenceTexts = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name) && /(^[^.]+|\.(md|txt))$/i.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
