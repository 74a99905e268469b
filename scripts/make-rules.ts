/** `npm run rules`: writes `deploy/prometheus/rules.yml` from the tables of the runbook. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rulesOf } from "#main/watching/rules.ts";

const root = join(import.meta.dirname, "..");
writeFileSync(join(root, "deploy/prometheus/rules.yml"), rulesOf(readFileSync(join(root, "docs/runbook.md"), "utf8")));
