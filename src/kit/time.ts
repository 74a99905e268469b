/** Lengths of time in milliseconds; the wall clock of the shop is in `moscow-time.ts`. */

/** A day without a time, `2026-11-21`. */
export type CalendarDate = string & { readonly __calendarDate?: true };

export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => n * 60_000;
export const hours = (n: number): number => n * 3_600_000;
export const days = (n: number): number => n * 86_400_000;

export const plus = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
