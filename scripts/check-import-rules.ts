/**
 * Checks imports between modules (.dependency-cruiser.mjs). Fails also when fewer files were read than the folders have: a parser that
 * silently reads nothing would report no violation.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
// @ts-expect-error the rules are plain JavaScript, as dependency-cruiser reads them
import rules from "../.dependency-cruiser.mjs";

const folders = ["src", "db", "deploy", "scripts", "tests", "e2e"];

/** Each violation as `rule: importing file → imported file`; empty if every rule holds. */
export async function violatedImportRules(): Promise<string[]> {
  const tsConfig = extractTSConfig(join(import.meta.dirname, "../tsconfig.json"));
  const { output } = await cruise(
    folders,
    { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true, outputType: undefined },
    {},
    { tsConfig },
  );
  const result = output as ICruiseResult;
  const broken = result.summary.violations.map((each) => `${each.rule.name}: ${each.from} → ${each.to}`);
  for (const folder of folders) {
    const expected = globSync(`${folder}/**/*.{ts,tsx}`).length;
    const read = result.modules.filter((each) => each.source.startsWith(`${folder}/`) && /\.tsx?$/.test(each.source)).length;
    if (read < expected) broken.push(`only ${read} of ${expected} files of ${folder}/ were read`);
  }
  return broken;
}

if (import.meta.main) {
  const broken = await violatedImportRules();
  for (const each of broken) console.error(each);
  if (broken.length > 0) process.exit(1);
  console.log("every import rule holds");
}
