import type { SettingKey } from "#shop/settings/forms.ts";
import { changedFields, type SettingsDraft } from "./values.ts";

type Drafts = Readonly<Partial<Record<SettingKey, SettingsDraft>>>;

/**
 * What a member of staff typed into settings and did not save: it stays while other groups and screens are looked at. The next member
 * who signs in in the same window begins with nothing.
 */
let kept: { login: string; drafts: Drafts } = { login: "", drafts: {} };

export function draftsOf(login: string): Drafts {
  if (kept.login !== login) kept = { login, drafts: {} };
  return kept.drafts;
}

/** Keeps the draft of a group, or forgets it, and returns all of them. */
export function keepDraft(login: string, key: SettingKey, draft: SettingsDraft | undefined): Drafts {
  kept = { login, drafts: { ...draftsOf(login), [key]: draft } };
  return kept.drafts;
}

export const isTyped = (draft: SettingsDraft | undefined): boolean =>
  draft !== undefined && changedFields(draft.base.values, draft.values).length > 0;

/** Whether this member of staff has typed something in any group. */
export const hasDrafts = (login: string | undefined): boolean => kept.login === login && Object.values(kept.drafts).some(isTyped);
