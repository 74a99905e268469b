const started = performance.now();

/** A line of the drill's report, with the seconds since its start. */
export const say = (line: string): void => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** `--short`: the form that fits into the gate. */
export const isShort = process.argv.includes("--short");

/** A process stops within 20 s (threat model N5); the rest is the database's. */
const longestCloseMs = 30_000;

/**
 * A drill from the stage to the verdict: opens, plays, closes, prints what broke and ends this process, with 1 when something did.
 * `play` returns one line for each broken promise.
 */
export async function drill<S extends { close(): Promise<void> }>(
  open: () => Promise<S>,
  play: (stage: S) => Promise<string[]>,
): Promise<never> {
  const stage = await open();
  const broken = await play(stage).catch((error: unknown) => [
    `the drill broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  ]);
  const isClosed = await Promise.race([stage.close().then(() => true), pause(longestCloseMs).then(() => false)]);
  if (!isClosed) broken.push(`something did not stop within ${longestCloseMs / 1000} s`);
  for (const each of broken.slice(0, 40)) console.error(`BROKEN  ${each}`);
  say(broken.length === 0 ? "passed" : `${broken.length} promises broken`);
  process.exit(broken.length === 0 ? 0 : 1);
}
