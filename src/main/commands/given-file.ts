import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";

/**
 * The bytes of a file that an operator names on the command line; `-`: of the standard input. `deploy/command` runs as the account of the
 * shop, which may not open files of root, but reads what its caller has opened. Throws with a message for the operator.
 */
export async function readGivenFile(path: string): Promise<Buffer> {
  if (path === "-") return buffer(process.stdin);
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    const hint = error.code === "EACCES" ? `; name - instead of the file and add < ${path}` : "";
    throw new Error(`cannot read ${path}: ${error.message}${hint}`, { cause: error });
  });
}
