import { hours } from "#kit/time.ts";

/** A restore of the backup into a scratch database whose ledger check passed (`deploy/backup/prove`). */
export type Proof = {
  provedAt: Date;
  /** The last change that the restored database had. */
  restoredTo: Date;
  /** How long it took. */
  seconds: number;
};

/** Whether no proof is younger than so many hours; 0 hours: never. */
export const isUnproven = (last: Proof | null, now: Date, allowedHours: number): boolean =>
  allowedHours > 0 && (last === null || now.getTime() - last.provedAt.getTime() > hours(allowedHours));
