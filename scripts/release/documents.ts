import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nameOf, type Lock } from "./packages.ts";

type Component = { name: string; version: string };
type Bill = {
  serialNumber?: string;
  metadata: { timestamp: string; component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/**
 * CycloneDX list of the shipped packages: that of npm without packages that the release does not contain, and without the number and time
 * of its making, so that two releases of one commit are equal.
 */
export function billOfMaterials(root: string, lock: Lock, shipped: readonly string[], date: Date): string {
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
  bill.components = bill.components.filter(({ name, version }) => refs.has(`${name}@${version}`));
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Names, versions, licences and licence texts of the shipped packages. */
export function licencesOf(root: string, lock: Lock, shipped: readonly string[]): string {
  return shipped
    .map((folder) => {
      const { version = "", license = "see below" } = lock[folder] ?? {};
      const texts = readdirSync(join(root, folder))
        .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name) && /(^[^.]+|\.(md|txt))$/i.test(name))
        .toSorted()
        .map((name) => readFileSync(join(root, folder, name), "utf8").trim());
      return [`${nameOf(folder)} ${version}: ${license}`, ...texts].join("\n\n");
    })
    .join(`\n\n${"-".repeat(80)}\n\n`);
}
