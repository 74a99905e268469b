/** A received value that has not been checked yet, in 1/10 000 ₽. */
export type RateTick = { valueE4: number; observedAt: Date };

/** The facts that a tick is compared with. */
export type SanityContext = {
  now: Date;
  /** The newest accepted tick of this code, if there is one. */
  last: RateTick | null;
  /** Median of the ticks accepted in the last 24 hours; without any, an independent price of the same metal; else null. */
  referenceE4: number | null;
  /** A jump refused in one of the last three polls. */
  refusedJump: RateTick | null;
  /** The source sets one value a day and sends the date as its time, so the same value in another poll confirms it. */
  isDaily: boolean;
};

export type RateVerdict = "accepted" | "not_a_price" | "from_the_future" | "older_than_last" | "jump" | "far_from_usual";

/** Clocks of shop and source may differ by 60 s; two ticks within 0.5 % confirm the same jump. */
const futureToleranceMs = 60_000;
const agreementShare = 0.005;
/** A higher value times the mass of a kilogram would exceed an exact integer. It also catches a source in the wrong unit. */
const maxValueE4 = 10_000_000_000;

/**
 * Whether a tick may become a rate. A change of more than `rateJumpPercent` against the last accepted tick is refused until a second tick
 * confirms it within three polls. The second must carry a newer time of the source: the same tick read twice confirms nothing.
 * A change of more than `rateDayJumpPercent` against the reference level is always refused.
 */
export function judge(
  reading: RateTick,
  facts: SanityContext,
  limits: { rateJumpPercent: number; rateDayJumpPercent: number },
): RateVerdict {
  const { valueE4, observedAt } = reading;
  if (!Number.isSafeInteger(valueE4) || valueE4 <= 0 || valueE4 > maxValueE4) return "not_a_price";
  const at = observedAt.getTime();
  if (!Number.isFinite(at)) return "not_a_price";
  if (at > facts.now.getTime() + futureToleranceMs) return "from_the_future";
  if (facts.last && at < facts.last.observedAt.getTime()) return "older_than_last";
  if (facts.referenceE4 !== null && movedPercent(facts.referenceE4, valueE4) > limits.rateDayJumpPercent) return "far_from_usual";
  if (facts.last && movedPercent(facts.last.valueE4, valueE4) > limits.rateJumpPercent) {
    return facts.refusedJump && isConfirmedBy(reading, facts.refusedJump, facts.isDaily) ? "accepted" : "jump";
  }
  return "accepted";
}

/** Absolute change in percent of the first value. */
const movedPercent = (fromE4: number, toE4: number): number => (Math.abs(toE4 - fromE4) / fromE4) * 100;

function isConfirmedBy(reading: RateTick, first: RateTick, isDaily: boolean): boolean {
  const isNewer = reading.observedAt.getTime() > first.observedAt.getTime();
  return (isNewer || isDaily) && Math.abs(first.valueE4 - reading.valueE4) <= first.valueE4 * agreementShare;
}
