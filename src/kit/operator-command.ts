import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where a release is installed (deploy/install); there is no npm. */
const installed = "/opt/chekan/current";
/** Only a release has this file; a checkout that runs its own bundle does not. */
const runsInstalled = existsSync(join(import.meta.dirname, "../../release.json"));

/**
 * The command line of an operator for a command of the shop and its arguments, to be printed or sent to staff: `desk`, `waiting`.
 * In a release it is one of `deploy/command`, from the sources an npm script.
 */
export function operatorCommand(name: string, args = "", isInstalled: boolean = runsInstalled): string {
  const words = isInstalled ? [`${installed}/deploy/command`, name, args] : ["npm run", name, args && `-- ${args}`];
  return words.filter(Boolean).join(" ");
}

/**
 * The command line that checks the ledger of another database than the shop's. `deploy/command` always takes the database of the shop's
 * settings, so in a release the program is started itself, with a data folder that is not the shop's.
 */
export function ledgerCheckOf(databaseUrl: string, isInstalled: boolean = runsInstalled): string {
  const command = isInstalled
    ? `DATA_DIR=/tmp/check-ledger ${installed}/bin/node ${installed}/build/app/check-ledger.js`
    : operatorCommand("check:ledger", "", false);
  return `DATABASE_URL=${databaseUrl} ${command}`;
}
