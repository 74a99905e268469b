import type * as z from "zod";
import * as contract from "#contract/staff/customers/requests.ts";
import { maskContactsIn, maskEmail, maskPhone } from "#kit/text/mask.ts";
import { roublesOrNull, toRoubles } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail } from "#kit/result.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import { isOpen, type InquiryNote, type StaffInquiry } from "#shop/inquiries/inquiry.ts";
import * as requests from "#shop/inquiries/staff/requests.service.ts";
import type { Ctx } from "#shop/context.ts";
import { colleaguesWith, type Named } from "#shop/staff/people/colleagues.service.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { namedIn, nameOrNull } from "../names.ts";
import { isoOrNull, type May } from "../views.ts";

/** Callbacks, partners and buyback forms. Contacts are masked until they are opened, which is a change with an audit entry. */
export const requestEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readRequests, async (ctx, { query: { state, kind, assignee, text, cursor }, staff, may }) => {
    const filter = {
      state,
      ...(kind && { kind }),
      ...(assignee !== undefined && { assignee: assignee === "nobody" ? null : assignee }),
      ...(text !== undefined && { text }),
      // A text finds contacts, too: who may open those of its own deals only searches only among these.
      ...(text !== undefined && may("customers.open") === null && { kind: "buyback" as const, assignee: staff.login }),
    };
    const found = await requests.list(ctx, filter, cursorOf(cursor));
    const named = await namedIn(
      ctx,
      found.items.map(({ assignee: login }) => login),
    );
    return done({
      items: found.items.map((each) => rowView(each, ctx.now(), named)),
      next: found.next && `${found.next.at.getTime()}.${found.next.id}`,
      counts: await requests.counts(ctx, staff.login),
    });
  }),
  staffRead(contract.readRequestColleagues, async (ctx) => done(await colleaguesWith(ctx, "requests"))),
  staffRead(contract.readRequest, async (ctx, { params: { id } }) => {
    const found = await requests.card(ctx, id);
    return found ? done(await cardView(ctx, found, found.notes)) : fail({ code: "inquiry.not_found" });
  }),

  staffChange(contract.openRequestContacts, {
    change: async (ctx, { params: { id }, body: { take }, staff, may, audit }) => {
      const opened = await requests.openContacts(ctx, id, { login: staff.login, take });
      if (!opened) return fail({ code: "inquiry.not_found" });
      const { inquiry, notes } = opened;
      if (!mayOpen(inquiry, staff.login, may)) return fail({ code: "staff.forbidden" });
      audit({ subject: `request:${id}`, after: { kind: inquiry.kind, assignee: inquiry.assignee } });
      return done({ phone: inquiry.phone, email: inquiry.email, request: await cardView(ctx, inquiry, notes, "open") });
    },
  }),

  staffChange(contract.moveRequest, {
    change: async (ctx, { params: { id }, body: { revision, event, outcome }, staff, audit }) =>
      changed(ctx, await requests.move(ctx, { id, revision }, { event, outcome, login: staff.login }), audit),
  }),

  staffChange(contract.editRequest, {
    change: async (ctx, { params: { id }, body: { revision, assignee, dueAt }, audit }) => {
      const colleagues = assignee === undefined || assignee === null ? [] : await colleaguesWith(ctx, "requests");
      if (assignee && !colleagues.some(({ login }) => login === assignee))
        return fail({ code: "request.invalid", fields: { assignee: "Этот сотрудник не отвечает на обращения" } });
      const patch = { ...(assignee !== undefined && { assignee }), ...(dueAt !== undefined && { dueAt: new Date(dueAt) }) };
      return changed(ctx, await requests.edit(ctx, { id, revision }, patch), audit);
    },
  }),

  staffChange(contract.addRequestNote, {
    change: async (ctx, { params: { id }, body: { text }, staff, audit }) => {
      const notes = await requests.addNote(ctx, id, { author: staff.login, text });
      if (!notes.ok) return notes;
      audit({ subject: `request:${id}` });
      const named = await namedIn(
        ctx,
        notes.value.map(({ author }) => author),
      );
      return done(notes.value.map((note) => noteView(note, named)));
    },
  }),
];

/** The buyback desk opens the contacts of its own deals only. */
const mayOpen = ({ kind, assignee }: StaffInquiry, login: string, may: May): boolean =>
  may("customers.open") !== null || (may("buyback") !== null && kind === "buyback" && assignee === login);

async function changed(ctx: Ctx, result: Awaited<ReturnType<typeof requests.move>>, audit: (event: AuditEvent) => void) {
  const view = async (inquiry: StaffInquiry) => ({
    ...rowView(inquiry, ctx.now(), await namedIn(ctx, [inquiry.assignee])),
    outcome: inquiry.outcome,
  });
  if (!result.ok) {
    const { error } = result;
    if (error.code !== "staff.stale") return fail({ code: error.code });
    return fail({ code: error.code, data: { current: await view(error.current), revision: error.current.revision } });
  }
  const { before, after } = result.value;
  const facts = ({ state, assignee, dueAt, outcome }: StaffInquiry) => ({ state, assignee, dueAt: isoMoscow(dueAt), outcome });
  audit({ subject: `request:${after.id}`, before: facts(before), after: facts(after) });
  return done(await view(after));
}

/** `<due time in milliseconds>.<id>`. */
function cursorOf(cursor: string | undefined): requests.RequestCursor | null {
  const [, at, id] = /^(\d{1,14})\.(\d{1,9})$/.exec(cursor ?? "") ?? [];
  return at && id ? { at: new Date(Number(at)), id: Number(id) } : null;
}

const noteView = ({ at, author, ...note }: InquiryNote, named: Named) => ({ ...note, author: named(author).name, at: isoMoscow(at) });

function rowView(
  { id, kind, state, name, phone, details, isSuspect, createdAt, dueAt, assignee, revision }: StaffInquiry,
  now: Date,
  named: Named,
): z.input<(typeof contract.readRequests)["answer"]>["items"][number] {
  const coins = details.coins?.map(({ title, count }) => `${title} × ${count}`).join(", ");
  const about = [details.convenientTime, details.company, coins, details.note].find(Boolean) ?? "";
  return {
    id,
    kind,
    state,
    name: maskContactsIn(name),
    maskedPhone: maskPhone(phone),
    about: maskContactsIn(about).slice(0, 200),
    isSuspect,
    createdAt: isoMoscow(createdAt),
    dueAt: isoMoscow(dueAt),
    isOverdue: isOpen(state) && dueAt < now,
    assignee,
    assigneeName: nameOrNull(named, assignee),
    revision,
  };
}

async function cardView(
  ctx: Ctx,
  inquiry: StaffInquiry,
  notes: readonly InquiryNote[],
  contacts: "masked" | "open" = "masked",
): Promise<z.input<(typeof contract.readRequest)["answer"]>> {
  const { note, convenientTime, company, city, condition, coins, estimate } = inquiry.details;
  const named = await namedIn(ctx, [inquiry.assignee, ...notes.map(({ author }) => author)]);
  const shown = (text: string) => (contacts === "open" ? text : maskContactsIn(text));
  return {
    ...rowView(inquiry, ctx.now(), named),
    maskedEmail: inquiry.email === "" ? null : maskEmail(inquiry.email),
    text: shown(note),
    ...(convenientTime !== undefined && { convenientTime: shown(convenientTime) }),
    ...(company !== undefined && { company: shown(company) }),
    ...(city !== undefined && { city: shown(city) }),
    ...(condition && { condition }),
    ...(coins && {
      coins: coins.map(({ title, count, each, sum }) => ({
        title: shown(title),
        count,
        each: roublesOrNull(each),
        sum: roublesOrNull(sum),
      })),
    }),
    ...(estimate && {
      estimate: estimate.range && {
        least: toRoubles(estimate.range.least),
        most: toRoubles(estimate.range.most),
        isWhole: estimate.isWhole,
      },
    }),
    answeredAt: isoOrNull(inquiry.answeredAt),
    outcome: inquiry.outcome,
    notes: notes.map((each) => noteView(each, named)),
  };
}
