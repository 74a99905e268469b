/** A dated, justified exception of the audit: why, and until which day (UTC, inclusive). */
export type Exception = { reason: string; until: string };

/** By the advisory's address: why it does no harm here. */
export const acceptedAdvisories: Readonly<Record<string, Exception>> = {};

/** Why an audit in CI may pass without the registry's answer; null: it may not. */
export const acceptedSilence: Exception | null = {
  reason:
    "the build machine reaches the registry through a read-only mirror, which answers the audit's POST with 405; " +
    "audited where the registry itself is reached",
  until: "2027-02-28",
};
