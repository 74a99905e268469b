import type { SettingKey } from "#shop/settings/forms.ts";
import { changedFields, type SettingsDraft } from "./values.ts";

type Drafts = Readonly<Partial<Record<SettingKey, SettingsDraft>>>;

/**
 * Unsaved drafts of settings by group. They stay while other groups and screens are open. Another member of staff who signs in in the same
 * window begins without drafts.
 */
let stored: { login: string; drafts: Drafts } = { login: "", drafts: {} };

/** The drafts of this member of staff; drops those of another one. */
export function draftsOf(login: string): Drafts {
  if (stored.login !== login) stored = { login, drafts: {} };
  return stored.drafts;
}

/** Stores the draft of a group, or removes it (`undefined`). Returns all drafts. */
export function storeDraft(login: string, key: SettingKey, draft: SettingsDraft | undefined): Drafts {
  stored = { login, drafts: { ...draftsOf(login), [key]: draft } };
  return stored.drafts;
}

/** Whether the draft differs from the version that it was begun with. */
export const isTyped = (draft: SettingsDraft | undefined): boolean =>
  draft !== undefined && changedFields(draft.base.values, draft.values).length > 0;

/** Whether this member of staff has typed something in any group. */
export const hasDrafts = (login: string | undefined): boolean => stored.login === login && Object.values(stored.drafts).some(isTyped);
