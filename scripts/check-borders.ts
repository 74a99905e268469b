/**
 * The walls between the parts of the house (.dependency-cruiser.mjs). Fails also when fewer files were read
 * than `src/` has: a parser that silently reads nothing would report a clean house.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
// @ts-expect-error the rules are plain JavaScript, as dependency-cruiser reads them
import rules from "../.dependency-cruiser.mjs";

/** Names of the broken rules with who imports whom; empty when all walls stand. */
export async function brokenBorders(folder = "src"): Promise<string[]> {
  const tsConfig = extractTSConfig(join(import.meta.dirname, "../tsconfig.json"));
  const { output } = await cruise(
    [folder],
    { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true, outputType: undefined },
    {},
    { tsConfig },
  );
  const result = output as ICruiseResult;
  const expected = globSync(`${folder}/**/*.{ts,tsx}`).length;
  const read = result.modules.filter((each) => each.source.startsWith(`${folder}/`) && /\.tsx?$/.test(each.source)).length;
  const broken = result.summary.violations.map((each) => `${each.rule.name}: ${each.from} → ${each.to}`);
  if (read < expected) broken.push(`only ${read} of ${expected} files were read`);
  return broken;
}

if (import.meta.main) {
  const broken = await brokenBorders();
  for (const each of broken) console.error(each);
  if (broken.length > 0) process.exit(1);
  console.log("all borders hold");
}
