/**
 * Whether this program received a signal to end. A lost connection (SIGHUP) does not end it, because an update that breaks off between two
 * processes leaves them on two releases; its output has no reader then. SIGINT and SIGTERM are for the caller to act upon: the result is
 * aborted.
 */
export function watchInterruption(say: (line: string) => void): AbortSignal {
  const controller = new AbortController();
  process.on("SIGHUP", () => {});
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.on(name, () => {
      if (!controller.signal.aborted) say(`${name}: ending in order`);
      controller.abort(new Error(`interrupted by ${name}`));
    });
  return controller.signal;
}
