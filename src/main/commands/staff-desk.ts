import { inTransaction } from "#kit/db.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { approveAtServer } from "#http/staff/routes.ts";
import * as approvals from "#shop/staff/approvals/service.ts";
import { isEmail } from "#shop/customers/customer.ts";
import * as audit from "#shop/audit/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as invitations from "#shop/staff/people/invitations.service.ts";
import * as people from "#shop/staff/people/people.service.ts";
import { roles, type Role } from "#shop/staff/role.ts";
import type { Config } from "../config.ts";

type CommandReport = { isDone: boolean; lines: string[] };
const done = (...lines: string[]): CommandReport => ({ isDone: true, lines });
const refused = (line: string): CommandReport => ({ isDone: false, lines: [line] });

/** The command line of the server has no network address. */
const fromDesk = { origin: null, approvalId: null };

/** Approvals that one listing prints. */
const approvalsShown = 100;

/**
 * `staff approvals`, `staff approve <id>`: a shop with one approver confirms here what needs a second person in the back office.
 * `staff list`, `staff invite <email> <role>`, `staff disable <login or email>`: invite the first admin, and close an account when
 * no member of staff can sign in. Null: the words cannot be read.
 */
export function staffCommand(words: readonly string[]): ((ctx: Ctx, config: Config) => Promise<CommandReport>) | null {
  const [verb, who = "", role = "", ...more] = words;
  if (more.length > 0) return null;
  if (verb === "list" && who === "") return listPeople;
  if (verb === "invite" && isEmail(who) && isRole(role)) return (ctx, config) => invite(ctx, config, who, role);
  if (verb === "approvals" && who === "") return listApprovals;
  if (verb === "approve" && who !== "" && role === "") return (ctx, config) => approve(ctx, config, who);
  if (verb === "disable" && who !== "" && role === "") return (ctx) => disable(ctx, who);
  return null;
}

async function listApprovals(ctx: Ctx): Promise<CommandReport> {
  const waiting = await approvals.listWaiting(ctx, approvalsShown);
  return done(
    ...waiting.map(({ id, action, askedBy, reason, expiresAt, shown }) =>
      [id, action, askedBy.login, reason, `until ${isoMoscow(expiresAt)}`, shown ? JSON.stringify(shown) : ""].join("  ").trimEnd(),
    ),
    `${waiting.length} approvals wait`,
  );
}

async function approve(ctx: Ctx, config: Config, id: string): Promise<CommandReport> {
  const officeUrl = officeUrlOf(config);
  if (officeUrl === null) return addressUnknown;
  const approved = await approveAtServer(ctx, id, officeUrl);
  return approved.ok ? done(`${approved.value.action} is done`) : refused(`${id} is refused: ${approved.error.code}`);
}

/** The address in the links of invitations; null: the back office is in a process whose port these settings do not name. */
function officeUrlOf({ STAFF_URL, STAFF_PORT }: Config): string | null {
  if (STAFF_URL !== undefined) return STAFF_URL.replace(/\/$/, "");
  return STAFF_PORT === null ? null : `http://localhost:${STAFF_PORT}`;
}
const addressUnknown = refused("STAFF_PORT is off, so the address of the back office is not known here: set STAFF_URL as well");

const isRole = (word: string): word is Role => roles.some((each) => each === word);

async function listPeople(ctx: Ctx): Promise<CommandReport> {
  const found = await people.list(ctx);
  const open = await invitations.listInvitations(ctx);
  return done(
    ...found.map(({ login, email, roles: granted, isDisabled, lastUsedAt }) =>
      [login, email, granted.join(","), isDisabled ? "disabled" : "enabled", lastUsedAt ? isoMoscow(lastUsedAt) : "not signed in"].join(
        "  ",
      ),
    ),
    ...open.map(({ email, roles: granted, expiresAt }) => `invited  ${email}  ${granted.join(",")}  until ${isoMoscow(expiresAt)}`),
    `${found.length} members of staff`,
  );
}

async function invite(ctx: Ctx, config: Config, email: string, role: Role): Promise<CommandReport> {
  const officeUrl = officeUrlOf(config);
  if (officeUrl === null) return addressUnknown;
  const invited = await inTransaction(ctx.db, async (tx) => {
    const made = await invitations.invite({ ...ctx, db: tx }, { email, roles: [role] });
    if (made.ok)
      await audit.record(tx, ctx, "staff.invite", { subject: `invitation:${made.value.id}`, after: { email, roles: [role] } }, fromDesk);
    return made;
  });
  if (!invited.ok) return refused(`${email} is a member of staff already`);
  return done(invitations.invitationLink(officeUrl, invited.value.token), `works once, until ${isoMoscow(invited.value.expiresAt)}`);
}

async function disable(ctx: Ctx, who: string): Promise<CommandReport> {
  const person = await inTransaction(ctx.db, async (tx) => {
    const disabled = await people.disableByName({ ...ctx, db: tx }, who);
    if (disabled)
      await audit.record(tx, ctx, "staff.disable", { subject: `staff:${disabled.login}`, after: { isDisabled: true } }, fromDesk);
    return disabled;
  });
  return person ? done(`${person.login} is disabled, its sessions have ended`) : refused(`${who} is no member of staff`);
}
