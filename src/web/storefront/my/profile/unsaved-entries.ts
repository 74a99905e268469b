import type { FormEvent } from "react";

/**
 * What a customer has typed into the form of the profile and not saved. When the session ends meanwhile, the page is replaced by the sign-in
 * prompt; after signing in the form shows these entries again. They are kept in the memory of this tab only, for one phone.
 */
let kept: { phone: string; entries: Record<string, string> } | null = null;

/** Stores the entries of the form; for its `onInput`. */
export const storeEntries = (phone: string) => (event: FormEvent<HTMLFormElement>) => {
  const entries = [...new FormData(event.currentTarget)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  kept = { phone, entries: Object.fromEntries(entries) as Record<string, string> };
};

export const unsavedEntries = (phone: string): Record<string, string> | undefined => (kept?.phone === phone ? kept.entries : undefined);

/** For the page that follows when the form was saved or left on purpose. */
export function forgetEntries(): void {
  kept = null;
}
