import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { billOfMaterials, licencesOf } from "./documents.ts";
import { readLock } from "./packages.ts";
import { folderOfNode, knownRuntimes } from "./supply-chain.ts";

const root = join(import.meta.dirname, "../..");
const [node] = knownRuntimes;
if (!node) throw new Error("no Node is known");
const shipped = ["node_modules/sharp"];

test("the list of what is shipped names Node with its hash, beside the packages, and no others", () => {
  const bill = JSON.parse(billOfMaterials(root, readLock(root), shipped, node, new Date(0))) as {
    specVersion: string;
    components: { name: string; version: string; type: string; hashes: { alg: string; content: string }[] }[];
  };
  expect(bill.components.map(({ name }) => name)).toEqual(["nodejs", "sharp"]);
  expect(bill.components[0]).toMatchObject({
    type: "platform", // since CycloneDX 1.5
    version: node.version,
    hashes: [{ alg: "SHA-256", content: node.sha256 }],
  });
  expect(Number(bill.specVersion)).toBeGreaterThanOrEqual(1.5);
});

test.skipIf(!existsSync(join(root, folderOfNode(node))))("the licence of Node is in the list of licences, with its text", () => {
  const [ofNode = "", ofSharp = ""] = licencesOf(root, readLock(root), shipped, node).split(`\n\n${"-".repeat(80)}\n\n`);
  expect(ofNode).toMatch(/^Node\.js 26\.10\.0: MIT[^]*Copyright Node\.js contributors\. All rights reserved\./);
  expect(ofSharp).toMatch(/^sharp \S+: Apache-2\.0/);
});
