/**
 * `npm run staging-copy -- --from <address> --to <address of an empty database>`: copies the shop for tests of a new release, without
 * personal data, tokens and texts that people wrote. May run beside the shop.
 */
import { parseArgs } from "node:util";
import { ledgerCheckOf, operatorCommand } from "#kit/operator-command.ts";
import { copyForStaging, CopyError } from "../staging/copy.ts";

const { values } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" } } });
if (values.from === undefined || values.to === undefined) {
  console.error(`usage: ${operatorCommand("staging-copy", "--from postgres://…/shop --to postgres://…/empty_database")}`);
  process.exit(2);
}
try {
  const copied = await copyForStaging({ from: values.from, to: values.to });
  const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${rows} rows copied; orders: ${copied.get("orders") ?? 0}. Check it: ${ledgerCheckOf("<--to>")}\n`);
} catch (error) {
  if (!(error instanceof CopyError)) throw error;
  console.error(`cannot copy: ${error.message}`);
  process.exit(1);
}
