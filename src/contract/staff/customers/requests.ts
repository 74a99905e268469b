import * as z from "zod";
import { statesOf } from "#kit/transitions.ts";
import { coinConditions, inquiryKinds, inquiryStates, inquiryLimits, staffInquiryEvents } from "#shop/inquiries/inquiry.ts";
import { fieldMessages } from "../../fields.ts";
import { chosenInstant, instant, roubles } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { cursor, page, revision, rowIdParam } from "../wire.ts";

const kind = z.enum(inquiryKinds);
const state = z.enum(statesOf(inquiryStates));
const login = z.string().min(1).max(40);

const row = z.object({
  id: z.int(),
  kind,
  state,
  name: z.string(),
  maskedPhone: z.string(),
  /** What the sender wrote first: the convenient time, the company, the coins. Contacts in it are masked. */
  about: z.string(),
  /** A robot may have sent it. */
  isSuspect: z.boolean(),
  createdAt: instant,
  dueAt: instant,
  isOverdue: z.boolean(),
  /** Login; null: free. */
  assignee: z.string().nullable(),
  /** The name of the assignee, who may have left; null: free. */
  assigneeName: z.string().nullable(),
  revision,
});

/** `author`: the name of a member of staff. */
const note = z.object({ id: z.int(), at: instant, author: z.string(), text: z.string() });

const card = row.extend({
  /** Null: the sender gave no e-mail address. */
  maskedEmail: z.string().nullable(),
  /** Contacts in it are masked until they are opened. */
  text: z.string(),
  convenientTime: z.string().optional(),
  company: z.string().optional(),
  city: z.string().optional(),
  condition: z.enum(coinConditions).optional(),
  /** Coins for sale with the estimate by the prices at which the form was sent; null: to be inspected first. */
  coins: z.array(z.object({ title: z.string(), count: z.int(), each: roubles.nullable(), sum: roubles.nullable() })).optional(),
  estimate: z.object({ least: roubles, most: roubles, isWhole: z.boolean() }).nullable().optional(),
  answeredAt: instant.nullable(),
  outcome: z.string(),
  notes: z.array(note),
});

const params = z.object({ id: rowIdParam });
const staleData = z.object({ current: row.extend({ outcome: z.string() }), revision });

export const readRequests = staffCall({
  method: "GET",
  path: "/api/staff/requests",
  summary:
    "Requests by form: open ones by due time with the overdue ones first, or finished ones newest first. " +
    "A text is looked for among the first 10,000 of them",
  permission: "requests",
  audit: null,
  query: z.object({
    state: z.enum(["open", "finished"]).default("open"),
    kind: kind.optional(),
    /** A login, or `nobody` for free ones. */
    assignee: login.optional(),
    /** A part of the phone, or words of the name, of the form or of what came of it. */
    text: z.string().max(100).optional(),
    cursor,
  }),
  /** Counts stop at 1,001. */
  answer: page(row).extend({ counts: z.object({ open: z.int(), overdue: z.int(), mine: z.int() }) }),
  problems: [],
});

export const readRequest = staffCall({
  method: "GET",
  path: "/api/staff/requests/{id}",
  summary: "One request with its notes; contacts are masked",
  permission: "requests",
  audit: null,
  params,
  answer: card,
  problems: ["inquiry.not_found"],
});

export const openRequestContacts = staffCall({
  method: "POST",
  path: "/api/staff/requests/{id}/contacts",
  summary:
    "Opens phone and e-mail of the sender, recorded in the audit; `take` assigns a free request to the caller. " +
    "Needs customers.open, or the desk's own buyback deal",
  permission: "requests",
  audit: "request.open_contacts",
  params,
  body: z.strictObject({ take: z.boolean() }),
  answer: z.object({ phone: z.string(), email: z.string(), request: card }),
  problems: ["inquiry.not_found", "staff.forbidden"],
});

export const moveRequest = staffCall({
  method: "POST",
  path: "/api/staff/requests/{id}/state",
  summary: "Takes a request, puts it back, answers or closes it with what came of it, or opens it again",
  permission: "requests",
  audit: "request.move",
  params,
  body: z
    .strictObject({
      revision,
      event: z.enum(staffInquiryEvents),
      outcome: z.string().trim().max(inquiryLimits.outcome, fieldMessages.tooLong).default(""),
    })
    .refine(({ event, outcome }) => event !== "close" || outcome !== "", { path: ["outcome"], message: "Напишите, чем закончилось" }),
  answer: row.extend({ outcome: z.string() }),
  problems: ["inquiry.not_found", "staff.stale", "staff.act_refused"],
  refusalData: { "staff.stale": staleData },
});

export const editRequest = staffCall({
  method: "PATCH",
  path: "/api/staff/requests/{id}",
  summary: "Assigns an open request, or changes when its answer is due",
  permission: "requests",
  audit: "request.edit",
  params,
  body: z.strictObject({ revision, assignee: login.nullable().optional(), dueAt: chosenInstant().optional() }),
  answer: row.extend({ outcome: z.string() }),
  problems: ["inquiry.not_found", "staff.stale", "staff.act_refused"],
  refusalData: { "staff.stale": staleData },
});

export const addRequestNote = staffCall({
  method: "POST",
  path: "/api/staff/requests/{id}/notes",
  summary: "Adds an internal note to a request",
  permission: "requests",
  audit: "request.add_note",
  params,
  body: z.strictObject({ text: z.string().trim().min(1, fieldMessages.required).max(inquiryLimits.staffNote, fieldMessages.tooLong) }),
  answer: z.array(note),
  problems: ["inquiry.not_found"],
});

export const readRequestColleagues = staffCall({
  method: "GET",
  path: "/api/staff/requests/colleagues",
  summary: "The members of staff who answer requests",
  permission: "requests",
  audit: null,
  answer: z.array(z.object({ login: z.string(), name: z.string() })),
  problems: [],
});
