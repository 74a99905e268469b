import * as z from "zod";
import { approvalParts } from "#shop/staff/approvals/approval.ts";
import { instant, line } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { cursor, page, tokenParam } from "../wire.ts";

const approval = z.object({
  id: z.string(),
  /** `order.refund`: the audit action of the call; the screen has its words. */
  action: z.string(),
  permission: z.string(),
  /** Why a second person must approve, a Russian sentence. */
  reason: z.string(),
  /** The input of the call. */
  params: z.unknown(),
  body: z.unknown(),
  /** The state before the change, at the time of the request; null: the call does not provide it. */
  shown: z.object({ before: z.record(z.string(), z.unknown()), after: z.record(z.string(), z.unknown()) }).nullable(),
  state: z.enum(["waiting", "approved", "refused", "expired", "failed", "withdrawn"]),
  askedBy: z.object({ login: z.string(), name: z.string() }),
  askedAt: instant,
  expiresAt: instant,
  decidedBy: z.object({ login: z.string(), name: z.string() }).nullable(),
  decidedAt: instant.nullable(),
  /** What the person who refused wrote, or the message of the call that failed. */
  note: z.string(),
  isOwn: z.boolean(),
  /** Whether it is about the caller's own account: then another one decides. */
  isConcerned: z.boolean(),
  mayDecide: z.boolean(),
  /** Names of the colleagues who may decide while it waits; empty: only the server can. */
  deciders: z.array(z.string()),
  /** The order that it is about; null: it is about something else. */
  orderNumber: z.int().nullable(),
  /** Whether the caller asked for it, nothing was done, and the caller has not noted it yet. */
  isUnseen: z.boolean(),
});

export const readApprovals = staffCall({
  method: "GET",
  path: "/api/staff/approvals",
  summary: "Approvals that the caller may decide or has asked for, newest first",
  permission: "signed_in",
  audit: null,
  query: z.object({
    state: z.enum(approvalParts).default("waiting"),
    /** Only those whose audit action begins with this word: `order` has `order.refund`. */
    area: z
      .string()
      .regex(/^[a-z_]{1,30}$/)
      .optional(),
    /** Only those with this id in the path of their call: an order, a document, a group of settings. */
    record: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional(),
    cursor,
  }),
  answer: page(approval),
  problems: [],
});

export const readApproval = staffCall({
  method: "GET",
  path: "/api/staff/approvals/{id}",
  summary: "One approval; the person who asked also gets the answer of the call that was approved",
  permission: "signed_in",
  audit: null,
  params: z.object({ id: tokenParam }),
  answer: approval.extend({ answer: z.unknown() }),
  problems: ["staff.not_found"],
});

const decisionProblems = ["staff.not_found", "approval.own", "approval.concerned", "approval.decided", "approval.expired"] as const;

export const approve = staffCall({
  method: "POST",
  path: "/api/staff/approvals/{id}/approve",
  summary: "Runs what was asked for, in the name of the person who asked; `failed`: the call was refused meanwhile",
  permission: "signed_in",
  audit: "approval.approve",
  params: z.object({ id: tokenParam }),
  answer: approval,
  problems: decisionProblems,
});

export const refuse = staffCall({
  method: "POST",
  path: "/api/staff/approvals/{id}/refuse",
  summary: "Turns down what was asked for; nothing of it happens",
  permission: "signed_in",
  audit: "approval.refuse",
  params: z.object({ id: tokenParam }),
  body: z.strictObject({ note: line(500).default("") }),
  answer: approval,
  problems: decisionProblems,
});

export const withdraw = staffCall({
  method: "POST",
  path: "/api/staff/approvals/{id}/withdraw",
  summary: "Takes back what the caller asked for, while it waits",
  permission: "signed_in",
  audit: "approval.withdraw",
  params: z.object({ id: tokenParam }),
  answer: approval,
  problems: ["staff.not_found", "approval.decided", "approval.expired"],
});

export const noteSeen = staffCall({
  method: "POST",
  path: "/api/staff/approvals/{id}/seen",
  summary: "Notes that the caller, who asked, knows that it was refused, failed or expired",
  permission: "signed_in",
  audit: "approval.seen",
  params: z.object({ id: tokenParam }),
  answer: approval,
  problems: ["staff.not_found"],
});
