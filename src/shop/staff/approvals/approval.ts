import { transitions } from "#kit/transitions.ts";

/**
 * States of a call that a second person must approve. `failed`: it was approved, and the call was refused when it ran. `withdrawn`: the
 * person who asked took it back.
 */
export const approvalStates = transitions({
  waiting: { approve: "approved", refuse: "refused", expire: "expired", fail: "failed", withdraw: "withdrawn" },
  approved: {},
  refused: {},
  expired: {},
  failed: {},
  withdrawn: {},
});
export type ApprovalState = keyof typeof approvalStates;
export type ApprovalEvent = "approve" | "refuse" | "fail" | "withdraw";

/** Parts of the list. `open`: what waits, and what the viewer asked for, was not done and is not noted as seen. */
export const approvalParts = ["waiting", "decided", "open"] as const;
export type ApprovalPart = (typeof approvalParts)[number];

/** States in which nothing was done: the requester is notified. */
export const unsuccessful: readonly ApprovalState[] = ["refused", "failed", "expired"];
export const isUnsuccessful = (state: ApprovalState): boolean => unsuccessful.includes(state);

type Person = { id: number; login: string; name: string };

/** The fields that a call would change, for the person who decides. */
export type ShownChange = { before: Readonly<Record<string, unknown>>; after: Readonly<Record<string, unknown>> };

/**
 * What is stored of it. `basis`: hash of the facts beside the input to which the approval is bound; the call is refused if they are others
 * when it runs. Absent: the call has none.
 */
export type StoredChange = ShownChange & { basis?: string };

/** A call that waits for a second person, or did. */
export type Approval = {
  id: string;
  /** `PATCH /api/staff/people/{id}`. */
  call: string;
  /** `staff.change_roles`. */
  action: string;
  permission: string;
  /** Params, query and body as they were sent; null once their time of storage is over. */
  input: unknown;
  /** What the call would change when it was requested; null: the call does not know, or its time of storage is over. */
  shown: StoredChange | null;
  /** SHA-256 of call and input, signed for a secret call. */
  hash: string;
  reason: string;
  askedBy: Person;
  askedAt: Date;
  expiresAt: Date;
  state: ApprovalState;
  decidedBy: Person | null;
  decidedAt: Date | null;
  note: string;
  answer: unknown;
  /** When the requester noted that nothing was done; null: not yet, or something was. */
  seenAt: Date | null;
};

/** Actions about one member of staff, whose id is the parameter `id` of the call. */
export const actionsAboutMember = ["staff.change_roles", "staff.disable", "staff.reset_factors"];

/** The member of staff that an approval is about, and who therefore may not decide about it; null: it is about something else. */
export function memberConcerned({ action, input }: Pick<Approval, "action" | "input">): number | null {
  if (!actionsAboutMember.includes(action)) return null;
  const { params } = (input ?? {}) as { params?: { id?: unknown } };
  return Number(params?.id);
}

export type ApprovalError =
  | { code: "staff.not_found" }
  | { code: "approval.own" }
  | { code: "approval.concerned" }
  | { code: "approval.decided" }
  | { code: "approval.expired" };
