import { countLimit } from "#kit/count-limit.ts";
import { inTransaction } from "#kit/db.ts";
import { foldedText } from "#kit/text/folded-text.ts";
import { searchedPhone } from "#kit/text/searched-phone.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { dueAt } from "../due.ts";
import {
  inquiryStates,
  isOpen,
  type InquiryKind,
  type InquiryNote,
  type InquiryState,
  type StaffInquiry,
  type StaffInquiryError,
  type StaffInquiryEvent,
} from "../inquiry.ts";
import { parseDetails } from "./stored-details.ts";
import * as rows from "./requests.repository.ts";

/** Inquiries per page. */
export const requestsPageSize = 50;

/** Place of an inquiry in the list of open ones (its due time) or of finished ones (its id alone). */
export type RequestCursor = { at: Date; id: number };
export type RequestPage = { items: StaffInquiry[]; next: RequestCursor | null };

/** What the list shows. `text`: a part of the phone, or words of the name, of the form or of what came of it. */
type RequestFilter = Omit<rows.RequestFilter, "text"> & { text?: string };

/** One page: open inquiries by due time, the overdue ones first; finished ones newest first. */
export async function list(ctx: Ctx, { text = "", ...rest }: RequestFilter, cursor: RequestCursor | null): Promise<RequestPage> {
  const filter = text.trim() === "" ? rest : { ...rest, text: searchedText(text) };
  const limit = requestsPageSize + 1;
  const found =
    filter.state === "open"
      ? await rows.openInquiries(ctx.db, filter, cursor, limit)
      : await rows.finishedInquiries(ctx.db, filter, cursor?.id ?? null, limit);
  const shown = found.slice(0, requestsPageSize);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => toInquiry(ctx, row)),
    next: last && found.length > shown.length ? { at: last.dueAt ?? last.createdAt, id: last.id } : null,
  };
}

function searchedText(text: string): rows.SearchedText {
  return { phone: searchedPhone(text), words: foldedText(text).split(/\s+/).filter(Boolean) };
}

/** How many are open, overdue, and of this member of staff. */
export const counts = (ctx: Ctx, login: string): ReturnType<typeof rows.countOpen> => rows.countOpen(ctx.db, ctx.now(), login, countLimit);

/** One inquiry with its notes, oldest first; null: there is none. */
export async function card(ctx: Ctx, id: number): Promise<(StaffInquiry & { notes: InquiryNote[] }) | null> {
  const row = await rows.findInquiry(ctx.db, id);
  return row && { ...toInquiry(ctx, row), notes: await rows.notesOf(ctx.db, id) };
}

/** Which inquiry, and the revision that the member of staff saw. */
type Seen = { id: number; revision: number };
type Changed = Result<{ before: StaffInquiry; after: StaffInquiry }, StaffInquiryError<StaffInquiry>>;

/**
 * Moves an inquiry by an event of its state table. Taking one assigns it to `login`; answering and closing store what came of it.
 * Refuses with `inquiry.not_found`, `staff.stale` (another revision is stored) and `staff.act_refused` (the state does not allow it).
 */
export const move = (
  ctx: Ctx,
  seen: Seen,
  { event, outcome, login }: { event: StaffInquiryEvent; outcome: string; login: string },
): Promise<Changed> =>
  change(ctx, seen, (before) => {
    const moved = step(inquiryStates, before.state, event);
    if (moved.kind !== "moved") return null;
    return {
      state: moved.to,
      ...(event === "take" ? { assignee: login } : {}),
      ...(event === "put_back" ? { assignee: null } : {}),
      ...(isOpen(moved.to) ? { answeredAt: null } : { answeredAt: ctx.now(), outcome, assignee: before.assignee ?? login }),
    };
  });

/** Assigns an open inquiry, or changes when its answer is due. Refuses like `move`. */
export const edit = (ctx: Ctx, seen: Seen, patch: { assignee?: string | null; dueAt?: Date }): Promise<Changed> =>
  change(ctx, seen, (before) => (isOpen(before.state) ? patch : null));

/** The sender's contacts as stored. `take`: a free inquiry is assigned to `login`, which is about to call. Null: there is none. */
export function openContacts(
  ctx: Ctx,
  id: number,
  { login, take }: { login: string; take: boolean },
): Promise<{ inquiry: StaffInquiry; notes: InquiryNote[] } | null> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await rows.lockForStaff(tx, id);
    if (!row) return null;
    const taken = take && row.state === "received" && row.assignee === null;
    const now = taken ? await rows.saveInquiry(tx, id, { state: "in_work", assignee: login }) : row;
    return { inquiry: toInquiry(ctx, now), notes: await rows.notesOf(tx, id) };
  });
}

/** Adds an internal note. Refuses with `inquiry.not_found`. */
export function addNote(
  ctx: Ctx,
  id: number,
  note: { author: string; text: string },
): Promise<Result<InquiryNote[], { code: "inquiry.not_found" }>> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await rows.lockForStaff(tx, id))) return fail({ code: "inquiry.not_found" });
    await rows.insertNote(tx, { inquiryId: id, at: ctx.now(), ...note });
    return done(await rows.notesOf(tx, id));
  });
}

function change(
  ctx: Ctx,
  { id, revision }: Seen,
  rule: (before: StaffInquiry) => Parameters<typeof rows.saveInquiry>[2] | null,
): Promise<Changed> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await rows.lockForStaff(tx, id);
    if (!row) return fail({ code: "inquiry.not_found" });
    const before = toInquiry(ctx, row);
    if (row.revision !== revision) return fail({ code: "staff.stale", current: before });
    const patch = rule(before);
    if (!patch) return fail({ code: "staff.act_refused" });
    return done({ before, after: toInquiry(ctx, await rows.saveInquiry(tx, id, patch)) });
  });
}

/** The table's checks allow only these kinds and states. */
function toInquiry(ctx: Ctx, { kind, state, details, ...row }: rows.StoredInquiry): StaffInquiry {
  const of = { kind: kind as InquiryKind, createdAt: row.createdAt };
  return { ...row, ...of, state: state as InquiryState, details: parseDetails(details), dueAt: row.dueAt ?? dueAt(ctx.settings, of) };
}
