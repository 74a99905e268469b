/**
 * Checks runtime dependencies for known vulnerabilities (`npm audit` without development dependencies). Exit 1 for a high or critical one
 * without a dated exception (audit/exceptions.ts). In CI an unreachable registry fails too, unless an exception for that holds.
 */
import { spawnSync } from "node:child_process";
import { acceptedAdvisories, acceptedSilence } from "./audit/exceptions.ts";
import { verdict } from "./audit/verdict.ts";

const { stdout } = spawnSync("npm", ["audit", "--json", "--omit=dev", "--fetch-retries=0", "--fetch-timeout=10000"], { encoding: "utf8" });
const isCi = !["", "0", "false"].includes(process.env.CI ?? "");
const { lines, faults } = verdict(stdout ?? "", {
  advisories: acceptedAdvisories,
  silence: acceptedSilence,
  isCi,
  today: new Date().toISOString().slice(0, 10),
});
for (const line of lines) console.log(line);
for (const fault of faults) console.error(`BROKEN  ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
