/**
 * `npm run check:packages`: every package of the lock file comes from the registry with a hash, has an allowed licence, and runs an install
 * script only when package.json allows it. Needs no network.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readLock } from "./release/packages.ts";
import { supplyChainFaults } from "./release/supply-chain.ts";

const root = join(import.meta.dirname, "..");
const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { allowScripts: Record<string, boolean> };
const lock = readLock(root);
const faults = supplyChainFaults(lock, allowScripts);
for (const fault of faults) console.error(`BROKEN  ${fault}`);
if (faults.length > 0) process.exit(1);
console.log(`${Object.keys(lock).length} packages are in order`);
