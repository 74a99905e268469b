import type { Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as factorRows from "../sign-in/factors.repository.ts";
import { removeOpenOf } from "./invitations.repository.ts";
import * as rows from "./people.repository.ts";
import { grantOf, roles as allRoles, type Role } from "../role.ts";
import { endSessions, findMember } from "../sign-in/sessions.service.ts";
import { demoAccounts, isDemoLogin, type Factors, type Person, type StaffError, type StaffMember } from "../staff.ts";

/** Roles that let their holder invite others and change roles. */
const invitingRoles = allRoles.filter((role) => grantOf([role], "staff") !== null);
/** Roles whose grant a second person approves: money, or other people's access. */
const powerfulRoles = allRoles.filter((role) => invitingRoles.includes(role) || grantOf([role], "orders.refund") === "again");

/** How an account can sign in and confirm a session. */
export const factors = (ctx: Pick<Ctx, "db">, staffId: number): Promise<Factors> => rows.factors(ctx.db, staffId);

/** All members of staff, in one query. */
export const list = (ctx: Pick<Ctx, "db">): Promise<Person[]> => rows.list(ctx.db);

/** A member of staff, also a disabled one; null: there is none. */
export const find = async (ctx: Pick<Ctx, "db">, id: number): Promise<Person | null> =>
  (await rows.list(ctx.db)).find((person) => person.id === id) ?? null;

type ChangeError = Extract<
  StaffError,
  | { code: "staff.not_found" }
  | { code: "staff.stale" }
  | { code: "staff.last_admin" }
  | { code: "staff.not_self" }
  | { code: "staff.forbidden" }
>;
type Change = { id: number; revision: number; by: StaffMember };

/**
 * Changes the roles of another member of staff, ends its sessions and withdraws an open link to its sign-in: the link was approved, or
 * needed no approval, for the roles before. The last account that may invite others keeps that right.
 */
export const changeRoles = (
  ctx: Ctx,
  change: Change & { roles: readonly Role[] },
): Promise<Result<{ before: Person; after: Person }, ChangeError>> =>
  save(ctx, change, (person) => ({ roles: change.roles, isDisabled: person.isDisabled }));

/** Disables another account, ends its sessions and withdraws an open link to its sign-in; or enables it again. */
export const setDisabled = (
  ctx: Ctx,
  change: Change & { isDisabled: boolean },
): Promise<Result<{ before: Person; after: Person }, ChangeError>> =>
  save(ctx, change, (person) => ({ roles: person.roles, isDisabled: change.isDisabled }));

async function save(
  ctx: Ctx,
  { id, revision, by }: Change,
  next: (person: Person) => { roles: readonly Role[]; isDisabled: boolean },
): Promise<Result<{ before: Person; after: Person }, ChangeError>> {
  if (id === by.id) return fail({ code: "staff.not_self" });
  const tx = ctx.db;
  await rows.lockPeople(tx);
  const people = await rows.list(tx);
  // Of two who take each other's right at once the second one has lost it while waiting.
  if (!people.some((each) => each.id === by.id && mayInvite(each))) return fail({ code: "staff.forbidden" });
  const before = people.find((each) => each.id === id);
  if (!before) return fail({ code: "staff.not_found" });
  if (before.revision !== revision)
    return fail({ code: "staff.stale", current: { roles: before.roles, isDisabled: before.isDisabled }, revision: before.revision });
  const after: Person = { ...before, ...next(before), revision: revision + 1, sessions: 0 };
  if (!people.some((each) => mayInvite(each.id === id ? after : each))) return fail({ code: "staff.last_admin" });
  await removeOpenOf(tx, id);
  await rows.save(tx, id, { roles: after.roles, disabledAt: after.isDisabled ? ctx.now() : null });
  await endSessions(tx, id);
  return done({ before, after });
}

const mayInvite = ({ roles, isDisabled }: Pick<Person, "roles" | "isDisabled">): boolean =>
  !isDisabled && roles.some((role) => invitingRoles.includes(role));

const canSignIn = ({ isDemo }: Pick<Ctx, "isDemo">, { login, hasPassword, passkeys }: Person): boolean =>
  hasPassword || passkeys > 0 || (isDemo && isDemoLogin(login));

type Wanted = { roles?: readonly Role[]; isDisabled?: boolean };

/**
 * Why a second person must approve new roles (`id` null: of an invitation), or the disabling or enabling of an account; null: it need not.
 * Access to money or staff needs approval if there is a second person who could give it. Taking it away needs approval when one person
 * would be left who may invite others, also when no person could give it: then it is confirmed at the server. An account whose sign-in was
 * reset, or never set up, does not count as left. Until the transaction ends no other request changes permissions.
 */
export async function reasonForSecondPerson(ctx: Ctx, { by, id, ...wanted }: Wanted & { by: StaffMember; id: number | null }) {
  await rows.lockPeople(ctx.db);
  const people = await rows.list(ctx.db);
  const before = people.find((each) => each.id === id);
  // Refused by the change itself.
  if (id === by.id || (id !== null && !before) || !people.some((each) => each.id === by.id && mayInvite(each))) return null;
  const others = people.filter((each) => each.id !== by.id && each.id !== id);
  const after = { roles: wanted.roles ?? before?.roles ?? [], isDisabled: wanted.isDisabled ?? before?.isDisabled ?? false };
  const added = rolesInForce(after).filter((role) => !before || !rolesInForce(before).includes(role));
  if (added.some((role) => powerfulRoles.includes(role)) && others.some(mayInvite))
    return "Роль с доступом к деньгам или сотрудникам подтверждает второй сотрудник";
  if (before && mayInvite(before) && !mayInvite(after) && !others.some((each) => mayInvite(each) && canSignIn(ctx, each)))
    return "Приглашать сотрудников сможет только один человек: это подтверждает второй сотрудник";
  return null;
}

const rolesInForce = ({ roles, isDisabled }: Pick<Person, "roles" | "isDisabled">): readonly Role[] => (isDisabled ? [] : roles);

/**
 * Why a second person must approve that the sign-in of this account is set up again; null: not needed. The link gives its holder the access
 * of this account, so an approval is needed even in a shop with one approver, who confirms it at the server. Until the transaction ends
 * no other request gives the account more roles.
 */
export async function reasonForReset(ctx: Ctx, { id, by }: { id: number; by: StaffMember }): Promise<string | null> {
  await rows.lockPeople(ctx.db);
  const member = id === by.id ? null : await findMember(ctx.db, id); // oneself and unknown ones are refused by the reset itself
  if (!member?.roles.some((role) => powerfulRoles.includes(role))) return null;
  return "Новый вход того, у кого доступ к деньгам или сотрудникам, подтверждает второй сотрудник";
}

/** Removes every way to sign in and every session of another account, so that it is set up again by an invitation. */
export async function resetFactors(
  ctx: Ctx,
  { id, by }: { id: number; by: StaffMember },
): Promise<Result<StaffMember, Extract<StaffError, { code: "staff.not_found" | "staff.not_self" | "staff.forbidden" }>>> {
  if (id === by.id) return fail({ code: "staff.not_self" });
  await rows.lockPeople(ctx.db);
  const actor = await findMember(ctx.db, by.id);
  if (!actor?.roles.some((role) => invitingRoles.includes(role))) return fail({ code: "staff.forbidden" });
  const member = await findMember(ctx.db, id);
  if (!member) return fail({ code: "staff.not_found" });
  await factorRows.lockAccount(ctx.db, id);
  await factorRows.clearFactors(ctx.db, id);
  await endSessions(ctx.db, id);
  return done(member);
}

/** Disables an account from the command line, by login or mailbox; null: there is none. */
export async function disableByName(ctx: Ctx, name: string): Promise<Person | null> {
  await rows.lockPeople(ctx.db);
  const person = (await rows.list(ctx.db)).find(({ login, email }) => [login, email].includes(name.toLowerCase()));
  if (!person) return null;
  await removeOpenOf(ctx.db, person.id);
  await rows.save(ctx.db, person.id, { roles: person.roles, disabledAt: ctx.now() });
  await endSessions(ctx.db, person.id);
  return person;
}

/** The account of the demonstration for a role, made at its first use; null: it was disabled. Never called without demo. */
export async function demoAccount(tx: Tx, ctx: Ctx, role: Role): Promise<StaffMember | null> {
  if (!ctx.isDemo) throw new Error("accounts without a sign-in exist in the demonstration only");
  const account = demoAccounts[role];
  await rows.insert(tx, { ...account, roles: [role], createdAt: ctx.now() });
  return rows.byLogin(tx, account.login);
}
