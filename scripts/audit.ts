/**
 * Known holes in what the shop runs on: `npm audit` of everything but the tools of development. Exit 1 for a high or critical one that nobody
 * has accepted in writing. A registry that keeps no advisories, or is not reached, says nothing either way and stops nobody.
 */
import { spawnSync } from "node:child_process";
import { verdict } from "./audit/verdict.ts";

/** Advisory → why it cannot hurt here, and until when that was looked at. */
const accepted: Readonly<Record<string, string>> = {};

const { stdout } = spawnSync("npm", ["audit", "--json", "--omit=dev", "--fetch-retries=0", "--fetch-timeout=10000"], { encoding: "utf8" });
const { isHeard, open } = verdict(stdout ?? "", accepted);
console.log(isHeard ? `${open.length} known holes that nobody accepted` : "the registry told of no advisories: not looked at");
for (const each of open) console.error(`BROKEN  ${each}`);
process.exitCode = open.length > 0 ? 1 : 0;
