/** A reading that wants to be believed. Values in 1/10 000 ₽. */
export type Reading = { valueE4: number; observedAt: Date };

/** What is known when a reading is judged. */
export type Known = {
  now: Date;
  /** The newest accepted reading of this code, if there is one. */
  last: Reading | null;
  /** Median of the accepted readings of the last 24 hours; without any, an independent price of the same thing; else null. */
  usualE4: number | null;
  /** A jump refused in one of the last three polls, with the source's time of that value. */
  refusedJump: Reading | null;
  /** The source sets one value a day with the day as its time: the same value in another poll confirms it. */
  isDaily: boolean;
};

export type Verdict = "accepted" | "not_a_price" | "from_the_future" | "older_than_last" | "jump" | "far_from_usual";

/** Threat model E5: 60 s for clocks that differ, 0.5 % for two ticks that tell of the same jump. */
const futureToleranceMs = 60_000;
const agreementShare = 0.005;
/** Anything above would not fit an exact product with a kilogram's mass anyway; a source in the wrong unit ends here too. */
const highestE4 = 10_000_000_000;

/**
 * Whether a reading may become a price. A jump over `rateJumpPercent` against the last accepted reading waits for a second
 * agreeing one within three polls. The second must carry a newer time of the source: the same tick read twice confirms nothing.
 * Over `rateDayJumpPercent` against the usual level nothing lets a value through.
 */
export function judge(reading: Reading, known: Known, limits: { rateJumpPercent: number; rateDayJumpPercent: number }): Verdict {
  const { valueE4, observedAt } = reading;
  if (!Number.isSafeInteger(valueE4) || valueE4 <= 0 || valueE4 > highestE4) return "not_a_price";
  const at = observedAt.getTime();
  if (!Number.isFinite(at)) return "not_a_price";
  if (at > known.now.getTime() + futureToleranceMs) return "from_the_future";
  if (known.last && at < known.last.observedAt.getTime()) return "older_than_last";
  if (known.usualE4 !== null && movedPercent(known.usualE4, valueE4) > limits.rateDayJumpPercent) return "far_from_usual";
  if (known.last && movedPercent(known.last.valueE4, valueE4) > limits.rateJumpPercent) {
    return known.refusedJump && confirms(reading, known.refusedJump, known.isDaily) ? "accepted" : "jump";
  }
  return "accepted";
}

/** Size of a move in percent of where it started. */
const movedPercent = (fromE4: number, toE4: number): number => (Math.abs(toE4 - fromE4) / fromE4) * 100;

function confirms(reading: Reading, first: Reading, isDaily: boolean): boolean {
  const isNewer = reading.observedAt.getTime() > first.observedAt.getTime();
  return (isNewer || isDaily) && Math.abs(first.valueE4 - reading.valueE4) <= first.valueE4 * agreementShare;
}
