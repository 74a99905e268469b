/**
 * How often randomised tests, races and walks repeat themselves: `TEST_ROUNDS` is unset in `npm test`, `gate` in the gate (`.ci/run`) and
 * `long` in `npm run test:long`.
 */
export function rounds<T>(counts: { test: T; gate: T; long: T }): T {
  const { TEST_ROUNDS: level } = process.env;
  if (level === undefined || level === "") return counts.test;
  if (level === "gate" || level === "long") return counts[level];
  throw new Error(`TEST_ROUNDS: gate or long, not ${level}`);
}
