/** Milliseconds of one part of a long measurement: the p99 of its requests, and how late the load generator itself was. */
export type Part = { p99: number; late: number };

/**
 * Judges the parts in which the generator was at most `maxLate` late; in the others the machine was busy with other work, and their p99
 * says nothing of the shop. `leftOut`: fewer than half could be judged, so the test has passed in part only.
 */
export function judgeParts(parts: readonly Part[], { maxP99, maxLate }: { maxP99: number; maxLate: number }) {
  const quiet = parts.filter(({ late }) => late <= maxLate);
  const count = `${quiet.length} of ${parts.length} parts on a quiet machine`;
  return {
    count,
    worst: quiet.length > 0 ? Math.max(...quiet.map(({ p99 }) => p99)) : null,
    broken: quiet
      .filter(({ p99 }) => p99 > maxP99)
      .map(({ p99 }) => `p99 of a part is ${p99.toFixed(0)} ms, at most ${maxP99} are permitted`),
    leftOut: quiet.length * 2 < parts.length ? `without p99: only ${count}` : null,
  };
}
