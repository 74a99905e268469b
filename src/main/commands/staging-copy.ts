/**
 * `npm run staging-copy < addresses`: copies the shop for tests of a new release, without personal data, tokens and texts that people
 * wrote. The file has lines `from=<address>` and `to=<address of an empty database>`; `-- --from <address> --to <address>` does the same,
 * but arguments are shown in the list of processes. May run beside the shop.
 */
import { text } from "node:stream/consumers";
import { ledgerCheckOf, operatorCommand } from "#kit/operator-command.ts";
import { readAddresses } from "../staging/addresses.ts";
import { copyForStaging, CopyError } from "../staging/copy.ts";

const addresses = await readAddresses(process.argv.slice(2), () => (process.stdin.isTTY ? Promise.resolve("") : text(process.stdin)));
if (!addresses) {
  console.error(
    `usage: ${operatorCommand("staging-copy")} < addresses\nlines of the file: from=postgres://…/shop and to=postgres://…/empty_database`,
  );
  process.exit(2);
}
try {
  const copied = await copyForStaging(addresses);
  const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${rows} rows copied; orders: ${copied.get("orders") ?? 0}. Check it: ${ledgerCheckOf("<address of to>")}\n`);
} catch (error) {
  if (!(error instanceof CopyError)) throw error;
  console.error(`cannot copy: ${error.message}`);
  process.exit(1);
}
