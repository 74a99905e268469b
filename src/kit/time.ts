/** Lengths of time in milliseconds; the wall clock of the shop is in `moscow-time.ts`. */

/** A day without a time, `2026-11-21`. */
export type CalendarDate = string & { readonly __calendarDate?: true };

/** Seconds in milliseconds. */
export const seconds = (n: number): number => n * 1000;
/** Minutes in milliseconds. */
export const minutes = (n: number): number => n * 60_000;
/** Hours in milliseconds. */
export const hours = (n: number): number => n * 3_600_000;
/** Days of 24 hours in milliseconds; Moscow has no other ones. */
export const days = (n: number): number => n * 86_400_000;

/** The instant so many milliseconds later; earlier for a negative number. */
export const plus = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
