import { inTransaction, type Expression, type Tx } from "#kit/db.ts";
import { moscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { foldedText } from "#kit/text/folded-text.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { filmsIn } from "#shop/media/film.ts";
import * as media from "#shop/media/service.ts";
import { isFixedPage, isTaken } from "../addresses.ts";
import type { ContentKind } from "../entry.ts";
import { uploadedIn } from "../markdown.ts";
import { partFaults } from "../site/part-faults.service.ts";
import { siteParts, type PartData } from "../site/parts.ts";
import { orderedKinds } from "../ordered-kinds.ts";
import { textData, type TextData, type TextKind } from "../text-data.ts";
import {
  dataOf,
  invalid,
  stateOf,
  type Editable,
  type EditableData,
  type EditableState,
  type EditingError,
  type SaveAct,
  type Subject,
  type Version,
  type VersionEvent,
} from "./editable.ts";
import { groupFault, groupsFaults } from "./question-groups.service.ts";
import { addressesOf, afterRenaming, endAt, linkablePaths } from "./redirects.service.ts";
import * as rows from "./repository.ts";

type Changed = Result<{ before: Editable; after: Editable }, EditingError>;
type Saved = { data: EditableData; act: SaveAct; unpublishAt: Date | null };

const pageSize = 50;
/** The editor shows the newest versions only. */
const maxVersions = 200;

/** A text or a part of the site for the editor; null if there is none. */
export const read = (ctx: Ctx, subject: Subject): Promise<Editable | null> => rows.readOne(ctx.db, subject);

/** Texts of a kind in the order of their list, of one state, whose title contains all `words`. `from`: the offset of the page. */
export async function list(
  ctx: Ctx,
  { kind, state, words, from }: { kind: TextKind; state: EditableState | null; words: string; from: number },
): Promise<{ items: Editable[]; next: number | null; total: number }> {
  const wanted = foldedText(words).split(/\s+/).filter(Boolean);
  const found = (await rows.readAll(ctx.db, kind)).filter(
    (each) => (state === null || stateOf(each) === state) && wanted.every((word) => foldedText(titleOf(each)).includes(word)),
  );
  const items = found.slice(from, from + pageSize);
  return { items, next: from + items.length < found.length ? from + items.length : null, total: found.length };
}

const titleOf = (each: Editable): string => (dataOf(each) as TextData).title;

/** The saved versions, newest first. */
export const versions = (ctx: Ctx, subject: Subject): Promise<Version[]> => rows.readVersions(ctx.db, subject, maxVersions);
/** One saved version with its content; null: there is none with this revision. */
export const version = (ctx: Ctx, subject: Subject, revision: number): Promise<(Version & { data: EditableData }) | null> =>
  rows.readVersion(ctx.db, subject, revision);

/** Adds a text that visitors do not see yet. Refuses with `request.invalid`, messages by field. */
export const create = (ctx: Ctx, raw: unknown, kind: TextKind): Promise<Result<Editable, EditingError>> =>
  inTransaction(ctx.db, async (tx) => {
    const parsed = parse(kind, raw);
    if (!parsed.ok) return parsed;
    const data = parsed.value as TextData;
    if (kind === "page") return fail({ code: "staff.act_refused" }); // each plain page has a route of its own
    await rows.lockChanges(tx);
    const faults = { ...(await faultsOf(tx, null, data)), ...(await pictureFaults(ctx, tx, data)) };
    if (Object.keys(faults).length > 0) return fail(invalid(faults));
    const made = await rows.insert(tx, data, data.kind === "document" && data.hasEditions ? moscow(ctx.now()).date : null);
    await addVersion(ctx, tx, made, { event: "saved", data: made.live });
    return done(made);
  });

/**
 * Saves a version of a text or a part of the site: as a draft, published at once, or to be published by the sweep. `unpublishAt`: when the
 * sweep takes the text down. A published text keeps showing what was published until the draft is. A new address makes redirects from the
 * old one. Refuses with `staff.not_found`, `staff.stale` (both versions), `request.invalid` (messages by field) and `staff.act_refused`
 * (a page that forms link to cannot be taken down).
 */
export const save = (
  ctx: Ctx,
  { subject, revision, data: raw, act, unpublishAt }: { subject: Subject; revision: number; data: unknown } & Omit<Saved, "data">,
): Promise<Changed> =>
  change(ctx, subject, revision, async (tx, before) => {
    const parsed = parse(subject.kind, raw);
    if (!parsed.ok) return parsed;
    const data = parsed.value;
    const faults = { ...timeFaults(ctx, act, unpublishAt), ...(await faultsOf(tx, before, data)), ...(await pictureFaults(ctx, tx, data)) };
    if (Object.keys(faults).length > 0) return fail(invalid(faults));
    if (unpublishAt !== null && !mayTakeDown(before)) return fail({ code: "staff.act_refused" });
    const after = await apply(ctx, tx, before, { data, act, unpublishAt });
    return after ? done({ after, event: eventOf(act), data }) : fail({ code: "staff.not_found" });
  });

/** Takes a published text down at once; what was saved last is its draft. Refuses with `staff.act_refused` when it is not published. */
export const takeDown = (ctx: Ctx, subject: Subject, revision: number): Promise<Changed> =>
  change(ctx, subject, revision, async (tx, before) => {
    if (!mayTakeDown(before) || (!before.isPublished && before.publishAt === null)) return fail({ code: "staff.act_refused" });
    const after = await unpublish(tx, before);
    return after ? done({ after, event: "taken_down", data: dataOf(after) }) : fail({ code: "staff.not_found" });
  });

/**
 * Clears the time of a scheduled publication: what was saved stays a draft, what is on the site stays there, and so does the time it is
 * taken down. Allowed for parts of the site too. Refuses with `staff.not_found`, `staff.stale`, and `staff.act_refused` without a schedule.
 */
export const unschedule = (ctx: Ctx, subject: Subject, revision: number): Promise<Changed> =>
  change(ctx, subject, revision, async (tx, before) => {
    if (before.publishAt === null) return fail({ code: "staff.act_refused" });
    const { draft, isPublished, unpublishAt, editedOn } = before;
    const after = await rows.write(tx, before, { draft, isPublished, publishAt: null, unpublishAt, editedOn });
    return after ? done({ after, event: "saved", data: dataOf(after) }) : fail({ code: "staff.not_found" });
  });

/** Makes an earlier version the draft. Refuses like `save`, and with `request.invalid` when that version breaks a rule of today. */
export const restore = (ctx: Ctx, subject: Subject, revision: number, from: number): Promise<Changed> =>
  change(ctx, subject, revision, async (tx, before) => {
    const stored = await rows.readVersion(tx, subject, from);
    if (!stored) return fail({ code: "staff.not_found" });
    const parsed = parse(subject.kind, stored.data);
    if (!parsed.ok) return parsed;
    const faults = await faultsOf(tx, before, parsed.value);
    if (faults) return fail(invalid(faults));
    const saved = { data: parsed.value, act: { kind: "draft" }, unpublishAt: before.unpublishAt } as const;
    const after = await apply(ctx, tx, before, saved);
    return after ? done({ after, event: "restored", data: parsed.value }) : fail({ code: "staff.not_found" });
  });

/** Removes a text that was never published. Refuses with `staff.act_refused` for everything else: published texts are taken down. */
export const remove = (ctx: Ctx, subject: Subject, revision: number): Promise<Result<Editable, EditingError>> =>
  inTransaction(ctx.db, async (tx) => {
    await rows.lockChanges(tx);
    const before = await rows.readOne(tx, subject);
    if (!before) return fail({ code: "staff.not_found" });
    if (before.revision !== revision) return fail({ code: "staff.stale", current: before });
    const seen = (await rows.readVersions(tx, subject, maxVersions)).some(({ event }) => event === "published");
    if (before.isPublished || seen || subject.kind === "page") return fail({ code: "staff.act_refused" });
    await rows.remove(tx, subject);
    return done(before);
  });

/** Puts the texts of a list in this order. Refuses with `staff.stale` when the list has other texts by now. */
export const order = (
  ctx: Ctx,
  kind: TextKind,
  ids: readonly number[],
): Promise<Result<true, { code: "staff.stale" | "staff.act_refused" }>> =>
  inTransaction(ctx.db, async (tx) => {
    if (!(orderedKinds as readonly TextKind[]).includes(kind)) return fail({ code: "staff.act_refused" });
    await rows.lockChanges(tx);
    const stored = (await rows.readAll(tx, kind)).map(({ id }) => id);
    if (stored.length !== ids.length || !stored.every((id) => ids.includes(id))) return fail({ code: "staff.stale" });
    await rows.order(tx, kind as ContentKind, ids);
    return done(true);
  });

/**
 * Publishes and takes down what is due. Each text in a transaction of its own that clears the due time, so a repeated or interrupted sweep
 * does nothing twice.
 */
export async function publishDue(ctx: Ctx): Promise<void> {
  for (const subject of await rows.readDue(ctx.db, ctx.now())) {
    await inTransaction(ctx.db, async (tx) => {
      await rows.lockChanges(tx);
      const before = await rows.readOne(tx, subject);
      if (before) await settleDue(ctx, tx, before);
    });
  }
}

/** Whether `publishDue` has something to do. */
export const hasDue = (ctx: Ctx): Expression => rows.hasDue(ctx.now());

async function settleDue(ctx: Ctx, tx: Tx, before: Editable): Promise<void> {
  const isDue = (at: Date | null): boolean => at !== null && at <= ctx.now();
  const data = dataOf(before);
  let now: Editable | null = before;
  if (isDue(before.publishAt)) {
    // A part of the site was checked when it was saved, and the page leaves out coins and pages that were removed since then. Groups of
    // questions are checked again: a question may have been added since to a group that this version removes.
    const isChecked = data.kind === "questions" || !Object.hasOwn(siteParts, data.kind);
    const faults = isChecked ? await faultsOf(tx, before, data) : null;
    if (faults) ctx.log.error({ kind: before.kind, id: before.id, faults }, "a scheduled text cannot be published");
    now = faults
      ? await rows.write(tx, before, { ...before, publishAt: null })
      : await apply(ctx, tx, before, { data, act: { kind: "publish" }, unpublishAt: before.unpublishAt });
    if (now) await addVersion(ctx, tx, now, { event: faults ? "saved" : "published", data });
  }
  if (now && isDue(now.unpublishAt)) {
    now = await unpublish(tx, now);
    if (now) await addVersion(ctx, tx, now, { event: "taken_down", data: dataOf(now) });
  }
}

type Applied = Result<{ after: Editable; event: VersionEvent; data: EditableData }, EditingError>;

/** One change of a stored subject: lock, revision, the version before the first change, the change, its version. */
const change = (ctx: Ctx, subject: Subject, revision: number, rule: (tx: Tx, before: Editable) => Promise<Applied>): Promise<Changed> =>
  inTransaction(ctx.db, async (tx) => {
    await rows.lockChanges(tx);
    const before = await rows.readOne(tx, subject);
    if (!before) return fail({ code: "staff.not_found" });
    if (before.revision !== revision) return fail({ code: "staff.stale", current: before });
    const result = await rule(tx, before);
    if (!result.ok) return result;
    const { after, event, data } = result.value;
    await addVersion(ctx, tx, after, { event, data, before });
    return done({ before, after });
  });

/** Marks the uploaded pictures and films that the data refers to as used; messages by field for those that do not exist, or null. */
async function pictureFaults(ctx: Ctx, tx: Tx, data: EditableData): Promise<Record<string, string> | null> {
  const text = JSON.stringify(data);
  if (!(await media.useFilms(tx, ctx, filmsIn(text)))) return { films: "Файл фильма не нашёлся: загрузите его ещё раз" };
  const ids = uploadedIn(text);
  if ((await media.use(tx, ctx, ids)).length === ids.length) return null;
  return { ["body" in data ? "body" : "picture"]: "Картинка не нашлась: загрузите её ещё раз" };
}

type NewVersion = { event: VersionEvent; data: EditableData; before?: Editable };

/** Stores the version; before the first one also the text as the seed wrote it, so that it can be restored. */
async function addVersion(ctx: Ctx, tx: Tx, after: Editable, { event, data, before }: NewVersion): Promise<void> {
  if (before && !(await rows.hasVersions(tx, after))) {
    const { revision, live, updatedAt } = before;
    await rows.addVersion(tx, after, { revision, event: "published", data: live, actor: "job:seed", at: updatedAt });
  }
  await rows.addVersion(tx, after, { revision: after.revision, event, data, actor: actorText(ctx.actor), at: ctx.now() });
}

/** Writes the data as a draft, as what visitors see, or for the sweep. */
async function apply(ctx: Ctx, tx: Tx, before: Editable, { data, act, unpublishAt }: Saved): Promise<Editable | null> {
  const { isPublished, editedOn } = before;
  if (act.kind !== "publish") {
    const publishAt = act.kind === "schedule" ? act.publishAt : null;
    const place = isPublished ? { draft: data } : { live: data, draft: null };
    return rows.write(tx, before, { ...place, isPublished, publishAt, unpublishAt, editedOn });
  }
  const former = isPublished ? addressesOf(before.kind, before.id, before.live) : [];
  const after = await rows.write(tx, before, {
    live: data,
    draft: null,
    isPublished: true,
    publishAt: null,
    unpublishAt,
    editedOn: editionOf(ctx, before, data),
  });
  await moveAddresses(tx, former, addressesOf(before.kind, before.id, data));
  return after;
}

async function moveAddresses(tx: Tx, former: readonly string[], present: readonly string[]): Promise<void> {
  const [own] = present;
  if (own === undefined) return;
  for (const path of present) await endAt(tx, path);
  const left = former.filter((path) => !present.includes(path));
  if (left.length === 0) return;
  await afterRenaming(tx, left, own);
  for (const path of left) await rows.moveChildren(tx, path, own);
}

/** Each published change of a text with legal meaning is an edition of its day (Moscow); other documents have none. */
function editionOf(ctx: Ctx, before: Editable, data: EditableData): string | null {
  if (data.kind !== "document" || !data.hasEditions) return null;
  const { live, isPublished, editedOn } = before;
  const isSame = isPublished && editedOn !== null && live.kind === "document" && live.body === data.body && live.title === data.title;
  return isSame ? editedOn : moscow(ctx.now()).date;
}

/** Unpublishes a text; the version that was saved last becomes its draft. Null: the text does not exist any more. */
const unpublish = (tx: Tx, before: Editable): Promise<Editable | null> =>
  rows.write(tx, before, {
    live: dataOf(before),
    draft: null,
    isPublished: false,
    publishAt: null,
    unpublishAt: null,
    editedOn: before.editedOn,
  });

const eventOf = ({ kind }: SaveAct): VersionEvent => ({ draft: "saved", publish: "published", schedule: "scheduled" } as const)[kind];

/** Whether a published text may be taken down. Plain pages, parts of the site and the documents that forms link to may not. */
function mayTakeDown({ kind, live }: Editable): boolean {
  if (kind === "page" || Object.hasOwn(siteParts, kind)) return false;
  return live.kind !== "document" || !isFixedPage(live.path);
}

function parse(kind: Subject["kind"], raw: unknown): Result<EditableData, EditingError> {
  const schema = Object.hasOwn(siteParts, kind) ? siteParts[kind as keyof typeof siteParts] : textData[kind as TextKind];
  const parsed = schema.safeParse(raw);
  if (parsed.success) return done(parsed.data as EditableData);
  const fields: Record<string, string> = {};
  for (const { path, message, code } of parsed.error.issues) fields[path.join(".")] ??= messageOf(code, message);
  return fail(invalid(fields));
}

/** Messages of the schemas are Russian; those of the library are not. */
const messageOf = (code: string | undefined, message: string): string =>
  /[а-яё]/i.test(message) ? message : code === "too_big" ? "Слишком много" : "Значение указано неверно";

function timeFaults(ctx: Ctx, act: SaveAct, unpublishAt: Date | null): Record<string, string> {
  const now = ctx.now();
  const begins = act.kind === "schedule" ? act.publishAt : now;
  return {
    ...(act.kind === "schedule" && act.publishAt <= now ? { publishAt: "Это время уже прошло" } : {}),
    ...(unpublishAt !== null && unpublishAt <= begins ? { unpublishAt: "Снять можно только после публикации" } : {}),
  };
}

/** Rules that need other rows: addresses that are free, groups and parents that exist. Null: all hold. */
async function faultsOf(tx: Tx, before: Editable | null, data: EditableData): Promise<Record<string, string> | null> {
  if (data.kind === "questions") return groupsFaults(tx, data);
  if (Object.hasOwn(siteParts, data.kind)) {
    const faults = {
      ...(await partFaults(tx, data as PartData, await linkablePaths(tx))),
      ...(data.kind === "home" ? await articleFaults(tx, data) : {}),
      ...(data.kind === "pages" ? await coinQuestionsFaults(tx, data) : {}),
    };
    return Object.keys(faults).length > 0 ? faults : null;
  }
  if (data.kind === "faq") {
    const group = await groupFault(tx, data.group);
    return group === null ? null : { group };
  }
  if (data.kind === "document") return documentFaults(tx, before, data);
  if (!("slug" in data)) return null;
  const { kind, slug } = data as Extract<TextData, { slug: string }>;
  const isUsed = (await rows.readAll(tx, kind)).some((each) => each.id !== before?.id && hasSlug(each, slug));
  return isUsed ? { slug: "Этот адрес уже занят другим текстом" } : null;
}

/** The article at the head of a block is published; that of a block that is off exists. */
async function articleFaults(tx: Tx, { blocks }: PartData<"home">): Promise<Record<string, string>> {
  const articles = await rows.readAll(tx, "training");
  const faults: Record<string, string> = {};
  for (const [index, { isOn, content }] of blocks.entries()) {
    if (content.kind !== "articles") continue;
    const lead = articles.find(({ id }) => id === content.lead);
    if (!lead) faults[`blocks.${index}.content.lead`] = "Такой статьи нет";
    else if (isOn && !lead.isPublished) faults[`blocks.${index}.content.lead`] = "Эта статья не опубликована: выберите другую";
  }
  return faults;
}

async function coinQuestionsFaults(tx: Tx, { coinQuestions }: PartData<"pages">): Promise<Record<string, string>> {
  const fault = coinQuestions === "" ? null : await groupFault(tx, coinQuestions);
  return fault === null ? {} : { coinQuestions: fault };
}

const hasSlug = ({ live, draft }: Editable, slug: string): boolean =>
  [live, draft].some((data) => data !== null && "slug" in data && data.slug === slug);

async function documentFaults(
  tx: Tx,
  before: Editable | null,
  { path, parentPath, hasEditions }: TextData<"document">,
): Promise<Record<string, string> | null> {
  const stored = before?.live.kind === "document" ? before.live : null;
  if (stored && isFixedPage(stored.path) && path !== stored.path) return { path: "На этот адрес ссылаются формы сайта: он не меняется" };
  if (stored?.hasEditions && !hasEditions) return { hasEditions: "У документа есть редакции: они сохраняются" };
  if (isTaken(path)) return { path: "Этот адрес занят страницей сайта" };
  const others = (await rows.readAll(tx, "document")).filter(({ id }) => id !== before?.id);
  const hasPath = (wanted: string) =>
    others.some(({ live, draft }) => [live, draft].some((each) => each?.kind === "document" && each.path === wanted));
  if (hasPath(path)) return { path: "Этот адрес уже занят другой страницей" };
  if (parentPath !== null && !hasPath(parentPath)) return { parentPath: "Такой страницы нет" };
  return null;
}
