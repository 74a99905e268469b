import type * as z from "zod";
import * as contract from "#contract/staff/access/people.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail, mapOk, type Result } from "#kit/result.ts";
import { enabledMembers } from "#shop/staff/people/colleagues.service.ts";
import * as invitations from "#shop/staff/people/invitations.service.ts";
import * as people from "#shop/staff/people/people.service.ts";
import { endSessions, findMember } from "#shop/staff/sign-in/sessions.service.ts";
import { grantOf, type Permission } from "#shop/staff/role.ts";
import type { Person, StaffError, StaffMember } from "#shop/staff/staff.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { isoOrNull } from "../views.ts";

type PersonView = z.input<(typeof contract.changeRoles)["answer"]>;

const personView = ({ roles, lastUsedAt, ...person }: Person, viewer: StaffMember): PersonView => ({
  ...person,
  roles: [...roles],
  lastUsedAt: isoOrNull(lastUsedAt),
  isSelf: person.id === viewer.id,
});

/** A stale save shows what is stored now. */
const refusalOf = (error: StaffError): StaffRefusal =>
  error.code === "staff.stale" ? { code: error.code, data: { current: error.current, revision: error.revision } } : error;

/** Members of staff: invitations, roles, ends of sessions. */
export const peopleEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readWhoMay, async (ctx, { query }) => {
    const members = await enabledMembers(ctx);
    const holdersOf = (permission: Permission) =>
      members.flatMap(({ name, roles }) => (grantOf(roles, permission) === null ? [] : [{ name, roles }]));
    return done({ holders: holdersOf(query.permission), givers: holdersOf("staff") });
  }),

  staffRead(contract.readPeople, async (ctx, { staff }) => {
    const open = await invitations.listInvitations(ctx);
    return done({
      people: (await people.list(ctx)).map((person) => personView(person, staff)),
      invitations: open.map(({ id, email, roles, invitedBy, expiresAt, staffId }) => ({
        id,
        email,
        roles: [...roles],
        invitedBy: invitedBy.replace(/^staff:/, ""),
        expiresAt: isoMoscow(expiresAt),
        isReset: staffId !== null,
      })),
    });
  }),

  staffChange(contract.invitePerson, {
    approval: (ctx, { staff, body }) => people.reasonForSecondPerson(ctx, { by: staff, id: null, roles: body.roles }),
    shown: async (_, { body }) => ({ before: {}, after: { email: body.email, roles: body.roles } }),
    change: async (ctx, { body, audit, officeUrl }) => {
      const invited = await invitations.invite(ctx, body);
      if (!invited.ok) return invited;
      const { id, token, expiresAt } = invited.value;
      audit({ subject: `invitation:${id}`, after: { email: body.email, roles: body.roles } });
      return done({ link: invitations.invitationLink(officeUrl, token), expiresAt: isoMoscow(expiresAt) });
    },
  }),

  staffChange(contract.withdrawInvitation, {
    change: async (ctx, { params, audit }) => {
      const gone = await invitations.withdraw(ctx.db, params.id);
      if (!gone) return fail({ code: "staff.not_found" });
      audit({ subject: `invitation:${params.id}`, before: { email: gone.email } });
      return done(true as const);
    },
  }),

  staffChange(contract.changeRoles, {
    approval: (ctx, { staff, params, body }) => people.reasonForSecondPerson(ctx, { by: staff, id: params.id, roles: body.roles }),
    shown: async (ctx, { params, body }) => {
      const member = await people.find(ctx, params.id);
      return member && { before: { name: member.name, roles: member.roles }, after: { name: member.name, roles: body.roles } };
    },
    change: async (ctx, { staff, params, body, audit }) => {
      const saved = await people.changeRoles(ctx, { ...params, ...body, by: staff });
      if (saved.ok)
        audit({ subject: `staff:${saved.value.after.login}`, before: { roles: saved.value.before.roles }, after: { roles: body.roles } });
      return personAnswer(saved, staff);
    },
  }),

  staffChange(contract.setDisabled, {
    approval: (ctx, { staff, params, body }) =>
      people.reasonForSecondPerson(ctx, { by: staff, id: params.id, isDisabled: body.isDisabled }),
    shown: async (ctx, { params, body }) => {
      const member = await people.find(ctx, params.id);
      if (!member) return null;
      const { name, roles, isDisabled } = member;
      return { before: { name, roles, isDisabled }, after: { name, roles, isDisabled: body.isDisabled } };
    },
    change: async (ctx, { staff, params, body, audit }) => {
      const saved = await people.setDisabled(ctx, { ...params, ...body, by: staff });
      if (saved.ok)
        audit({
          subject: `staff:${saved.value.after.login}`,
          before: { isDisabled: saved.value.before.isDisabled },
          after: { isDisabled: body.isDisabled },
        });
      return personAnswer(saved, staff);
    },
  }),

  staffChange(contract.endSessionsOf, {
    change: async (ctx, { params, audit }) => {
      const member = await findMember(ctx.db, params.id);
      if (!member) return fail({ code: "staff.not_found" });
      const ended = await endSessions(ctx.db, member.id);
      audit({ subject: `staff:${member.login}`, before: { sessions: ended } });
      return done({ ended });
    },
  }),

  staffChange(contract.resetFactors, {
    approval: (ctx, { staff, params }) => people.reasonForReset(ctx, { id: params.id, by: staff }),
    shown: async (ctx, { params }) => {
      const member = await findMember(ctx.db, params.id);
      return member && { before: {}, after: { name: member.name, login: member.login, roles: member.roles } };
    },
    change: async (ctx, { staff, params, audit, officeUrl }) => {
      const reset = await people.resetFactors(ctx, { id: params.id, by: staff });
      if (!reset.ok) return reset;
      const { id, login, email, roles } = reset.value;
      const invited = await invitations.invite(ctx, { email, roles, staffId: id });
      if (!invited.ok) return invited;
      audit({ subject: `staff:${login}` });
      return done({ link: invitations.invitationLink(officeUrl, invited.value.token), expiresAt: isoMoscow(invited.value.expiresAt) });
    },
  }),
];

function personAnswer(saved: Result<{ after: Person }, StaffError>, viewer: StaffMember): Result<PersonView, StaffRefusal> {
  if (!saved.ok) return fail(refusalOf(saved.error));
  return mapOk(saved, ({ after }) => personView(after, viewer));
}
