/**
 * `npm run import -- coins.csv`: checks a table of coins, prices or stock (CSV or XLSX, as the back office exports it) and applies it whole
 * or not at all; `-`: from the standard input. `--check`: only checks. What needs a second person is left to the back office, where the
 * check waits. Exit 0: applied, or nothing to change; 1: refused, with every wrong cell named; 2: it could not start.
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { inTransaction, type Tx } from "#kit/db.ts";
import { operatorCommand } from "#kit/operator-command.ts";
import * as audit from "#shop/audit/service.ts";
import type { Ctx } from "#shop/context.ts";
import {
  columnsOf,
  importKinds,
  messageLines,
  type CheckedFile,
  type Import,
  type ImportError,
  type ImportKind,
} from "#shop/exchange/imports/import.ts";
import * as imports from "#shop/exchange/imports/import.service.ts";
import { readConfig } from "../config.ts";
import { readGivenFile } from "./given-file.ts";
import { NoShopError, onOwnDatabase } from "./own-database.ts";
import { operatingSystemUser } from "./staff-user.ts";

const usage = `usage: ${operatorCommand("import", `coins.csv [--table ${importKinds.join("|")}] [--check]`)}`;
const { path, kind, checksOnly } = readArguments();
const bytes = await readGivenFile(path).catch((error: Error) => stop(error.message));
const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });

type Outcome = { isDone: boolean; text: string };
const refused = (text: string): Outcome => ({ isDone: false, text: `nothing was imported: ${text}` });
const textOf = (error: ImportError): string => ("message" in error ? error.message : error.code);

async function importFile(ctx: Ctx): Promise<Outcome> {
  const checked = await imports.checkFile(ctx, { kind, fileName: path === "-" ? `${kind}.csv` : basename(path), bytes });
  if (!checked.ok) return refused(textOf(checked.error));
  const { counts } = checked.value;
  const found = messagesOf(checked.value);
  if (counts.errors > 0) return refused(`${counts.errors} ${counts.errors === 1 ? "row is" : "rows are"} wrong\n${found.join("\n")}`);
  for (const line of found) console.error(line);
  const numbers = `${counts.rows} rows: ${counts.new} new, ${counts.changed} changed, ${counts.unchanged} as they were`;
  if (checksOnly || counts.new + counts.changed === 0) return { isDone: true, text: numbers };

  const made = await inTransaction(ctx.db, (tx) => store(tx, ctx, checked.value));
  const reason = await imports.approvalReason(ctx, made);
  if (reason) return refused(`a second person must approve it in the back office, where import ${made.id} waits. ${reason}`);
  const refusal = await inTransaction(ctx.db, (tx) => apply(tx, ctx, made)).catch((error: unknown) => {
    if (error instanceof RefusedImport) return error.message;
    throw error;
  });
  if (refusal !== null) return refused(refusal);
  return { isDone: true, text: counts.new > 0 ? `${numbers}. New coins are off sale: add their pictures and publish them` : numbers };
}

/** Leaves a transaction that has to be rolled back. */
class RefusedImport extends Error {}

/** Stores a check and applies it, with the same entries of the audit as in the back office. */
async function store(tx: Tx, ctx: Ctx, checked: CheckedFile): Promise<Import> {
  const made = await imports.storeCheck({ ...ctx, db: tx }, checked);
  const { id, fileName, counts } = made;
  await audit.record(tx, ctx, "import.check", { subject: `import:${id}`, after: { kind, fileName, counts } }, byCommand);
  return made;
}

async function apply(tx: Tx, ctx: Ctx, { id, hash, fileName, counts }: Import): Promise<null> {
  const applied = await imports.apply({ ...ctx, db: tx }, { id, hash });
  if (!applied.ok) throw new RefusedImport(textOf(applied.error));
  const { result } = applied.value.import;
  const event = { subject: `import:${id}`, before: { state: "checked" }, after: { state: "applied", kind, fileName, counts, result } };
  await audit.record(tx, ctx, "import.apply", event, byCommand);
  return null;
}
const byCommand = { origin: null, approvalId: null };

/** What is said of the file and of its rows, wrong ones first. */
const messagesOf = ({ rows, notes }: CheckedFile): string[] => [
  ...notes,
  ...messageLines(rows, columnsOf[kind], true),
  ...messageLines(rows, columnsOf[kind], false),
];

function readArguments(): { path: string; kind: ImportKind; checksOnly: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { table: { type: "string", default: "coins" }, check: { type: "boolean", default: false } },
    });
    const [given] = positionals;
    const wanted = importKinds.find((each) => each === values.table);
    if (given === undefined || positionals.length > 1 || wanted === undefined) throw new Error(usage);
    return { path: given, kind: wanted, checksOnly: values.check };
  } catch (error) {
    return stop(error instanceof Error && error.message !== usage ? `${error.message}\n${usage}` : usage);
  }
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}

const outcome = await onOwnDatabase(config, operatingSystemUser(), importFile).catch((error: unknown) =>
  error instanceof NoShopError ? stop(error.message) : Promise.reject(error),
);
if (!outcome) stop(`the data folder ${config.dataDir} is in use: stop the shop first, or set DATABASE_URL`);
console[outcome.value.isDone ? "log" : "error"](outcome.value.text);
process.exit(outcome.value.isDone ? 0 : 1);
