import type { FormEvent } from "react";

/**
 * What a customer has typed into a form of the profile and not saved. When the session ends meanwhile, the page is replaced by the sign-in
 * prompt; after signing in the form shows these entries again. They are kept in the memory of this tab only, for one phone.
 */
let kept: { phone: string; forms: Map<string, Record<string, string>> } = { phone: "", forms: new Map() };

/** Stores the entries of a form; for its `onInput`. */
export const storeEntries = (phone: string, form: string) => (event: FormEvent<HTMLFormElement>) => {
  if (kept.phone !== phone) kept = { phone, forms: new Map() };
  const entries = [...new FormData(event.currentTarget)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  kept.forms.set(form, Object.fromEntries(entries) as Record<string, string>);
};

export const unsavedEntries = (phone: string, form: string): Record<string, string> | undefined =>
  kept.phone === phone ? kept.forms.get(form) : undefined;

/** For the page that follows when the forms were saved or left on purpose. */
export function forgetEntries(): void {
  kept = { phone: "", forms: new Map() };
}
