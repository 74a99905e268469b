import type { SettingKey } from "#shop/settings/forms.ts";
import { changedFields, type SettingsDraft } from "./values.ts";

type Drafts = Readonly<Partial<Record<SettingKey, SettingsDraft>>>;

/**
 * Unsaved drafts of settings by group. They stay while other groups and screens are open. Another member of staff who signs in in the same
 * window begins without drafts.
 */
let kept: { login: string; drafts: Drafts } = { login: "", drafts: {} };

/** The drafts of this member of staff; drops those of another one. */
export function draftsOf(login: string): Drafts {
  if (kept.login !== login) kept = { login, drafts: {} };
  return kept.drafts;
}

/** Stores the draft of a group, or removes it (`undefined`). Returns all drafts. */
export function keepDraft(login: string, key: SettingKey, draft: SettingsDraft | undefined): Drafts {
  kept = { login, drafts: { ...draftsOf(login), [key]: draft } };
  return kept.drafts;
}

/** Whether the draft differs from the version that it was begun with. */
export const isTyped = (draft: SettingsDraft | undefined): boolean =>
  draft !== undefined && changedFields(draft.base.values, draft.values).length > 0;

/** Whether this member of staff has typed something in any group. */
export const hasDrafts = (login: string | undefined): boolean => kept.login === login && Object.values(kept.drafts).some(isTyped);
