import type { Expression, Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { settingKeys, type SettingKey } from "./forms.ts";
import { contradiction, fixedFields, settingGroups, type GroupValues, type SettingsContent } from "./groups.ts";
import * as rows from "./repository.ts";
import type { StoredGroup } from "./repository.ts";

/** A group as staff sees it. */
export type GroupView = {
  key: SettingKey;
  values: GroupValues;
  /** The values of the settings file and of the environment. */
  defaults: GroupValues;
  revision: number;
  changedBy: string | null;
  changedAt: Date | null;
  isStored: boolean;
  /** Something is stored that this release cannot read: the defaults are in force. */
  isIgnored: boolean;
  /** Fields that the environment decides. */
  fixed: string[];
};

export type GroupChange = {
  revision: number;
  before: GroupValues;
  after: GroupValues;
  changedBy: string;
  changedAt: Date;
  /** The revision whose values this change brought back; 0: those of the file. */
  restored: number | null;
};

export type SettingsError =
  | { code: "request.invalid"; fields: Record<string, string> }
  | { code: "staff.stale"; current: GroupView }
  | { code: "staff.not_found" };

type Ignored = { key: SettingKey; revision: number; fault: string };
/** What this process knows of the stored settings. */
type State = {
  /** The settings of the file and the environment, as the process started with them. */
  defaults: SettingsContent;
  version: string;
  /** Rows that were reported as unreadable. */
  reported: Set<string>;
};

const stateOf = (ctx: Pick<Ctx, "settings" | "singleton">): State =>
  ctx.singleton("settings.state", () => {
    const { shop, seller, market, office, courier, limits } = ctx.settings;
    return { defaults: structuredClone({ shop, seller, market, office, courier, limits }), version: "", reported: new Set() };
  });

const versionOf = (stored: readonly { key: string; revision: number }[]): string =>
  stored.map(({ key, revision }) => `${key}:${revision}`).join(" ");

const isKey = (key: string): key is SettingKey => Object.hasOwn(settingGroups, key);

/** Changes when this process has taken over other settings. Whatever is cached and contains a setting has it in its key. */
export const version = (ctx: Pick<Ctx, "settings" | "singleton">): string => stateOf(ctx).version;

/** The version of what is stored, read every second in each process as a part of another statement. */
export const storedVersion: Expression = rows.revisions;

/** Takes over what staff changed if `stored`, the version that was read, is not that of this process. */
export async function takeOver(ctx: Ctx, stored: string): Promise<void> {
  if (stored !== version(ctx)) await refresh(ctx);
}

/**
 * Takes over what staff changed. `ctx.settings` keeps its identity and gets other content, so every reader of `ctx.settings` has the new
 * values. A stored group that this release cannot read is ignored with an alarm.
 */
export async function refresh(ctx: Ctx): Promise<void> {
  const state = stateOf(ctx);
  const stored = await rows.readAll(ctx.db);
  if (versionOf(stored) === state.version) return;
  const { content, ignored } = contentWith(ctx, stored);
  const { limits, ...rest } = content;
  Object.assign(ctx.settings.limits, limits); // guards hold the limits themselves
  Object.assign(ctx.settings, rest);
  state.version = versionOf(stored);
  for (const { key, revision, fault } of ignored) {
    const mark = `${key}:${revision}`;
    if (state.reported.has(mark)) continue;
    state.reported.add(mark);
    ctx.alarm("settings.ignored", { group: key });
    ctx.log.warn({ group: key, fault }, "stored settings of another release are ignored");
  }
}

/** The groups that do not follow the settings file, for the line that is printed at the start. */
export const storedKeys = async (ctx: Ctx): Promise<string[]> =>
  (await rows.readAll(ctx.db)).filter(({ value }) => value !== null).map(({ key }) => key);

/** The settings that result from these rows over the defaults. Requisites and taxes that contradict each other are ignored both. */
function contentWith(ctx: Ctx, stored: readonly StoredGroup[]): { content: SettingsContent; ignored: Ignored[] } {
  const { defaults } = stateOf(ctx);
  const ignored: Ignored[] = [];
  let content = defaults;
  for (const { key, value, revision } of stored) {
    if (value === null || !isKey(key)) continue;
    const { upgrade = (stored) => stored } = settingGroups[key];
    const read = readGroup(ctx, key, upgrade(value as GroupValues), content);
    if (read.ok) content = settingGroups[key].apply(content, read.value);
    else ignored.push({ key, revision, fault: Object.keys(read.error.fields).join(", ") });
  }
  const fault = contradiction(content);
  if (fault === null) return { content, ignored };
  const isDocument = ({ key }: StoredGroup): boolean => key === "requisites" || key === "taxes";
  const documents = stored.flatMap(({ key, revision }) => (key === "requisites" || key === "taxes" ? [{ key, revision, fault }] : []));
  const rest = contentWith(
    ctx,
    stored.filter((row) => !isDocument(row)),
  );
  return { content: rest.content, ignored: [...rest.ignored, ...documents] } as { content: SettingsContent; ignored: Ignored[] };
}

/**
 * Validates values of a group. Fields that are missing, because another release stored them, keep their value of `content`; fields that the
 * environment decides have its value, whatever is stored. The messages are by path, `phones.1.display`.
 */
function readGroup(
  ctx: Ctx,
  key: SettingKey,
  value: unknown,
  content: SettingsContent,
): Result<GroupValues, { code: "request.invalid"; fields: Record<string, string> }> {
  const { schema, read } = settingGroups[key];
  const base = read(content);
  const fixed = fixedFields(key, ctx.settings.fixedLimits ?? []);
  const given = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const candidate = Object.fromEntries(
    Object.keys(base).map((name) => [name, !fixed.includes(name) && Object.hasOwn(given, name) ? given[name] : base[name]]),
  );
  const parsed = schema.safeParse(candidate);
  if (parsed.success) return done(parsed.data);
  const issues = parsed.error.issues.filter(({ path }) => !fixed.includes(String(path[0])));
  if (issues.length === 0) return done(candidate);
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) fields[path.join(".")] ??= message;
  return fail({ code: "request.invalid", fields });
}

/** A group for its form. */
export async function find(ctx: Ctx, key: SettingKey): Promise<GroupView> {
  const stored = await rows.readAll(ctx.db);
  return viewOf(ctx, key, stored);
}

function viewOf(ctx: Ctx, key: SettingKey, stored: readonly StoredGroup[]): GroupView {
  const { content, ignored } = contentWith(ctx, stored);
  const row = stored.find((each) => each.key === key);
  return {
    key,
    values: settingGroups[key].read(content),
    defaults: settingGroups[key].read(stateOf(ctx).defaults),
    revision: row?.revision ?? 0,
    changedBy: row?.changedBy ?? null,
    changedAt: row?.changedAt ?? null,
    isStored: row !== undefined && row.value !== null,
    isIgnored: ignored.some((each) => each.key === key),
    fixed: fixedFields(key, ctx.settings.fixedLimits ?? []),
  };
}

/** All groups in the order of the forms. */
export async function list(ctx: Ctx): Promise<GroupView[]> {
  const stored = await rows.readAll(ctx.db);
  return settingKeys.map((key) => viewOf(ctx, key, stored));
}

type Wanted = { key: SettingKey; revision: number; values: GroupValues };

/**
 * Whether these values can be saved now, for a change that a second person has to approve first. Refuses with `staff.stale` and
 * `request.invalid`, which has a message for each wrong field.
 */
export async function check(ctx: Ctx, wanted: Wanted): Promise<Result<GroupValues, SettingsError>> {
  const stored = await rows.readAll(ctx.db);
  const current = viewOf(ctx, wanted.key, stored);
  if (current.revision !== wanted.revision) return fail({ code: "staff.stale", current });
  const { content } = contentWith(ctx, stored);
  const read = readGroup(ctx, wanted.key, wanted.values, content);
  if (!read.ok) return read;
  const fault = contradiction(settingGroups[wanted.key].apply(content, read.value));
  if (fault === null) return read;
  return fail({ code: "request.invalid", fields: { [wanted.key === "taxes" ? "system" : "INN"]: fault } });
}

type Saved = { view: GroupView; before: GroupValues; after: GroupValues };

/** Saves a group. Every process takes it over within two seconds. Refuses as `check`. */
export async function save(ctx: Ctx, wanted: Wanted): Promise<Result<Saved, SettingsError>> {
  const checked = await check(ctx, wanted);
  if (!checked.ok) return checked;
  const fixed = fixedFields(wanted.key, ctx.settings.fixedLimits ?? []);
  const kept = ((await rows.find(ctx.db, wanted.key))?.value ?? {}) as Record<string, unknown>;
  const value = Object.fromEntries(
    Object.entries(checked.value).flatMap(([name, each]) =>
      fixed.includes(name) ? (Object.hasOwn(kept, name) ? [[name, kept[name]]] : []) : [[name, each]],
    ),
  );
  return store(ctx.db, ctx, wanted, { value, restored: null });
}

/** Brings back the values of an earlier revision as a new change; revision 0: those of the file. Refuses as `check`. */
export async function restore(
  ctx: Ctx,
  { key, revision, to }: { key: SettingKey; revision: number; to: number },
): Promise<Result<Saved, SettingsError>> {
  const checked = await checkRestore(ctx, { key, revision, to });
  return checked.ok ? store(ctx.db, ctx, { key, revision }, { value: checked.value, restored: to }) : checked;
}

/** The values that `restore` would store; null: the group follows the file again. */
export async function checkRestore(
  ctx: Ctx,
  { key, revision, to }: { key: SettingKey; revision: number; to: number },
): Promise<Result<GroupValues | null, SettingsError>> {
  const found = to === 0 ? null : await rows.findChange(ctx.db, key, to);
  if (to !== 0 && !found) return fail({ code: "staff.not_found" });
  const value = (found?.after ?? null) as GroupValues | null;
  const checked = await check(ctx, { key, revision, values: value ?? settingGroups[key].read(stateOf(ctx).defaults) });
  return checked.ok ? done(value) : checked;
}

async function store(
  tx: Tx,
  ctx: Ctx,
  { key, revision }: { key: SettingKey; revision: number },
  { value, restored }: { value: GroupValues | null; restored: number | null },
): Promise<Result<Saved, SettingsError>> {
  const stored = await rows.readAll(tx);
  const before = viewOf(ctx, key, stored).values;
  const change = { changedBy: actorText(ctx.actor), changedAt: ctx.now() };
  const row: StoredGroup = { key, value, revision: revision + 1, ...change };
  if (!(await rows.save(tx, row))) return fail({ code: "staff.stale", current: await find(ctx, key) });
  await rows.appendChange(tx, {
    key,
    revision: row.revision,
    before: stored.find((each) => each.key === key)?.value ?? null,
    after: value,
    restored,
    ...change,
  });
  const view = viewOf(ctx, key, [...stored.filter((each) => each.key !== key), row]);
  return done({ view, before, after: view.values });
}

/** The changes of a group, newest first. `before`: the revision of the last one of the page before. */
export async function history(ctx: Ctx, key: SettingKey, page: { before: number | null; limit: number }): Promise<GroupChange[]> {
  const { read } = settingGroups[key];
  const defaults = read(stateOf(ctx).defaults);
  const known = (value: unknown): GroupValues => (value === null ? defaults : { ...defaults, ...(value as Record<string, unknown>) });
  return (await rows.changes(ctx.db, key, page)).map((change) => ({
    revision: change.revision,
    before: known(change.before),
    after: known(change.after),
    changedBy: change.changedBy,
    changedAt: change.changedAt,
    restored: change.restored,
  }));
}
