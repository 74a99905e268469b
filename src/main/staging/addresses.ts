import { parseArgs } from "node:util";

/** The database that is copied and the empty one that becomes the copy. */
export type Addresses = { from: string; to: string };

/**
 * The addresses of a copy: from `--from` and `--to`, or, without arguments, from lines `from=…` and `to=…` of the standard input. The
 * latter is for addresses with a password: every account of the machine can read arguments. Null when one is missing or an argument is
 * unknown.
 */
export async function readAddresses(args: readonly string[], readInput: () => Promise<string>): Promise<Addresses | null> {
  const { from, to } = args.length > 0 ? inArguments(args) : inLines(await readInput());
  return from && to ? { from, to } : null;
}

function inArguments(args: readonly string[]): Partial<Addresses> {
  try {
    return parseArgs({ args: [...args], options: { from: { type: "string" }, to: { type: "string" } } }).values;
  } catch {
    return {};
  }
}

const inLines = (input: string): Partial<Addresses> =>
  Object.fromEntries([...input.matchAll(/^(from|to)=(.*?)\s*$/gm)].map(([, name, address]) => [name, address]));
