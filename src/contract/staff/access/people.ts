import * as z from "zod";
import { email, instant, nothing } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { permission, revision, role, rowIdParam } from "../wire.ts";

const roleList = z
  .array(role)
  .min(1, "Выберите хотя бы одну роль")
  .max(7)
  .refine((list) => new Set(list).size === list.length);

const person = z.object({
  id: z.int(),
  login: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(role),
  isDisabled: z.boolean(),
  isSelf: z.boolean(),
  passkeys: z.int(),
  hasPassword: z.boolean(),
  sessions: z.int(),
  lastUsedAt: instant.nullable(),
  revision: z.int(),
});

const staleData = z.object({ current: z.object({ roles: z.array(role), isDisabled: z.boolean() }), revision: z.int() });

const colleague = z.object({ name: z.string(), roles: z.array(role) });

export const readWhoMay = staffCall({
  method: "GET",
  path: "/api/staff/who-may",
  summary: "Colleagues with a permission, and those who give roles, for a member of staff who opens a screen of another role",
  permission: "signed_in",
  audit: null,
  query: z.object({ permission }),
  answer: z.object({ holders: z.array(colleague), givers: z.array(colleague) }),
  problems: [],
});

export const readPeople = staffCall({
  method: "GET",
  path: "/api/staff/people",
  summary: "All members of staff and the invitations that are open",
  permission: "staff",
  audit: null,
  answer: z.object({
    people: z.array(person),
    invitations: z.array(
      z.object({
        id: z.int(),
        email: z.string(),
        roles: z.array(role),
        invitedBy: z.string(),
        expiresAt: instant,
        /** Renews the sign-in of an account. */
        isReset: z.boolean(),
      }),
    ),
  }),
  problems: [],
});

const invitationLink = z.object({
  /** Works once, until `expiresAt`; shown to the caller only. */
  link: z.string(),
  expiresAt: instant,
});

export const invitePerson = staffCall({
  method: "POST",
  path: "/api/staff/people",
  summary: "Invites by a link that the caller hands over; an open invitation to the same mailbox is replaced",
  permission: "staff",
  isSecret: true,
  audit: "staff.invite",
  body: z.strictObject({ email, roles: roleList }),
  answer: invitationLink,
  problems: ["staff.email_taken"],
});

export const withdrawInvitation = staffCall({
  method: "DELETE",
  path: "/api/staff/invitations/{id}",
  summary: "Withdraws an open invitation",
  permission: "staff",
  audit: "staff.withdraw_invitation",
  params: z.object({ id: rowIdParam }),
  answer: nothing,
  problems: ["staff.not_found"],
});

export const changeRoles = staffCall({
  method: "PATCH",
  path: "/api/staff/people/{id}",
  summary: "Changes the roles of a member of staff and ends all of its sessions; some changes need a second person",
  permission: "staff",
  audit: "staff.change_roles",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ roles: roleList, revision }),
  answer: person,
  problems: ["staff.not_found", "staff.stale", "staff.last_admin", "staff.not_self"],
  refusalData: { "staff.stale": staleData },
});

export const setDisabled = staffCall({
  method: "POST",
  path: "/api/staff/people/{id}/disabled",
  summary: "Disables an account and ends all of its sessions, or enables it again; some changes need a second person",
  permission: "staff",
  audit: "staff.disable",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ isDisabled: z.boolean(), revision }),
  answer: person,
  problems: ["staff.not_found", "staff.stale", "staff.last_admin", "staff.not_self"],
  refusalData: { "staff.stale": staleData },
});

export const endSessionsOf = staffCall({
  method: "POST",
  path: "/api/staff/people/{id}/sessions/end",
  summary: "Ends all sessions of a member of staff",
  permission: "staff",
  audit: "staff.end_sessions",
  params: z.object({ id: rowIdParam }),
  answer: z.object({ ended: z.int() }),
  problems: ["staff.not_found"],
});

export const resetFactors = staffCall({
  method: "POST",
  path: "/api/staff/people/{id}/factors/reset",
  summary: "Removes passkeys, password, codes and sessions of a member of staff and returns a link to set them up again",
  permission: "staff",
  isSecret: true,
  audit: "staff.reset_factors",
  params: z.object({ id: rowIdParam }),
  answer: invitationLink,
  problems: ["staff.not_found", "staff.not_self"],
});
