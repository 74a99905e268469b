export type SavingAct = "draft" | "publish" | "schedule";

/**
 * The act and the time of publication that a press sends. `typed`: the field of the schedule; `scheduled`: the stored time. A scheduled
 * text keeps its stored time when it is saved without publishing: only «Снять с расписания» takes the time away.
 */
export function sentAct(
  act: SavingAct,
  { typed, scheduled }: { typed: string | null; scheduled: string | null },
): { act: SavingAct; publishAt: string | null } {
  if (act === "schedule") return { act, publishAt: typed };
  if (act === "draft" && scheduled !== null) return { act: "schedule", publishAt: scheduled };
  return { act, publishAt: null };
}

/** What the field of the schedule holds after an answer: a time that was typed and not sent stays. */
export const shownTime = ({ sent, typed, before, after }: { sent: SavingAct; typed: string; before: string; after: string }): string =>
  sent === "draft" && typed !== before ? typed : after;
