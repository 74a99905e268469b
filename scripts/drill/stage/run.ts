const started = performance.now();

/** Prints a line of the report, with the seconds since the start. */
export const say = (line: string): void => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

/** Resolves after this time, by the real clock. */
export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** `--short`: the form for the gate. */
export const isShort = process.argv.includes("--short");

/** Exit code of a test that cannot run on this machine: it has neither passed nor failed. The same as of automake and Meson. */
export const skippedCode = 77;

/** Ends this process as skipped. `reason` names what this machine lacks. */
export function skip(reason: string): never {
  say(`skipped: ${reason}`);
  process.exit(skippedCode);
}

const leftOut: string[] = [];

/** A part of the test cannot run here, or another program takes the place of the usual one: the last line names it. */
export function leaveOut(part: string): void {
  say(part);
  leftOut.push(part);
}

/** A process stops within 20 s (`hardExitMs`); the rest is the database's. */
const maxCloseMs = 30_000;

/**
 * Runs a resilience test: opens the stage, plays, closes, prints the failures and ends this process, with 1 if there are any. `play`
 * returns one line for each failure.
 */
export async function drill<S extends { close(): Promise<void> }>(
  open: () => Promise<S>,
  play: (stage: S) => Promise<string[]>,
): Promise<never> {
  const stage = await open();
  const broken = await play(stage).catch((error: unknown) => [
    `the drill broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  ]);
  const isClosed = await Promise.race([stage.close().then(() => true), pause(maxCloseMs).then(() => false)]);
  if (!isClosed) broken.push(`something did not stop within ${maxCloseMs / 1000} s`);
  for (const each of broken.slice(0, 40)) console.error(`BROKEN  ${each}`);
  const passed = leftOut.length === 0 ? "passed" : `passed in part; ${leftOut.join("; ")}`;
  say(broken.length === 0 ? passed : `${broken.length} promises broken`);
  process.exit(broken.length === 0 ? 0 : 1);
}
