import { eq, inArray, notInArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as approvalCalls from "#contract/staff/access/approvals.ts";
import * as auditCalls from "#contract/staff/access/audit.ts";
import * as people from "#contract/staff/access/people.ts";
import * as session from "#contract/staff/access/session.ts";
import { inTransaction, rowsOf } from "#kit/db.ts";
import { hours, minutes } from "#kit/time.ts";
import { actionsAboutMember } from "#shop/staff/approvals/approval.ts";
import * as approvals from "#shop/staff/approvals/service.ts";
import { lockPeople } from "#shop/staff/people/people.repository.ts";
import { staff as staffTable } from "#shop/staff/tables.ts";
import { approveAtServer, staffRoutes } from "../routes.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let bench: StaffBench;
beforeAll(async () => {
  bench = await openStaffBench();
  await withPassword(await bench.as("owner")); // so that no test is about the last two who may invite others
});
afterAll(() => bench.close());

let admin: StaffClient;
beforeEach(async () => {
  admin = await bench.as("admin");
});

/** Members of staff of the bench have no way to sign in. */
const withPassword = (...clients: StaffClient[]) =>
  bench.ctx.db
    .update(staffTable)
    .set({ passwordHash: "a hash", totpSecret: "a secret" })
    .where(
      inArray(
        staffTable.id,
        clients.map(({ member }) => member.id),
      ),
    );

const change = (client: StaffClient, who: StaffClient, roles: StaffClient["member"]["roles"], revision = 0) =>
  client.call(people.changeRoles, { params: { id: who.member.id }, body: { roles: [...roles], revision } });

/** Runs calls that change permissions so that all wait for its lock and continue one by one. */
async function atOnce<T>(calls: () => Promise<T>[]): Promise<T[]> {
  const { both } = await inTransaction(bench.ctx.db, async (tx) => {
    await lockPeople(tx);
    const started = calls();
    const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await rowsOf(bench.ctx.db, waiting)).length, { timeout: 4_000 }).toBe(started.length);
    return { both: Promise.all(started) };
  });
  return both;
}

test("a screen of another role names the colleagues who have it and those who give roles, without former ones", async () => {
  const editor = await bench.as("editor");
  const accountant = await bench.as("accountant");
  const left = await bench.as("accountant");
  await bench.ctx.db.update(staffTable).set({ disabledAt: bench.ctx.now() }).where(eq(staffTable.id, left.member.id));
  const { data } = await editor.call(people.readWhoMay, { query: { permission: "money.read" } });
  expect(data?.holders).toContainEqual({ name: accountant.member.name, roles: ["accountant"] });
  expect(data?.givers).toContainEqual({ name: admin.member.name, roles: ["admin"] });
  const holders = data?.holders.map(({ name }) => name);
  for (const { member } of [editor, left, admin]) expect(holders).not.toContain(member.name);
  expect(data?.givers.map(({ name }) => name)).not.toContain(accountant.member.name);
});

test("a change of role ends all sessions of the account at once", async () => {
  const clerk = await bench.as("sales");
  expect((await change(admin, clerk, ["sales", "editor"])).data).toMatchObject({ roles: ["sales", "editor"], revision: 1, sessions: 0 });
  expect((await clerk.call(session.readMe)).status).toBe(401);
});

test("disabling an account ends its sessions, and enabling brings none back", async () => {
  const clerk = await bench.as("sales");
  const set = (isDisabled: boolean, revision: number) =>
    admin.call(people.setDisabled, { params: { id: clerk.member.id }, body: { isDisabled, revision } });
  expect((await set(true, 0)).status).toBe(200);
  expect((await clerk.call(session.readMe)).status).toBe(401);
  expect((await set(false, 1)).status).toBe(200);
  expect((await clerk.call(session.readMe)).status).toBe(401);
});

test("of two administrators who remove each other's right at once only the first succeeds", async () => {
  const other = await bench.as("admin");
  const both = await atOnce(() => [change(admin, other, ["editor"]), change(other, admin, ["editor"])]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
});

test("a stale save shows what is stored now", async () => {
  const clerk = await bench.as("sales");
  await change(admin, clerk, ["packing"]);
  const { problem } = await change(admin, clerk, ["editor"]);
  expect(problem).toMatchObject({ code: "staff.stale", data: { current: { roles: ["packing"], isDisabled: false }, revision: 1 } });
});

test("a member of staff cannot change the own roles", async () => {
  expect((await change(admin, admin, ["owner"])).problem?.code).toBe("staff.not_self");
});

test("resetting the factors of an account ends its sessions and returns a link that keeps login and role", async () => {
  const clerk = await bench.as("packing");
  const { data } = await admin.call(people.resetFactors, { params: { id: clerk.member.id } });
  expect((await clerk.call(session.readMe)).status).toBe(401);
  const opened = await bench.visitor().call(session.openInvitation, { body: { token: data.link.split("#")[1] ?? "" } });
  expect(opened.data).toMatchObject({ roles: ["packing"], account: { login: clerk.member.login } });
});

test("a link to an account's sign-in ends when its roles change, and when it is disabled", async () => {
  const link = async (clerk: StaffClient) =>
    (await admin.call(people.resetFactors, { params: { id: clerk.member.id } })).data.link.split("#")[1] ?? "";
  const open = (token: string) => bench.visitor().call(session.openInvitation, { body: { token } });
  const [raised, disabled] = [await bench.as("packing"), await bench.as("packing")];

  const ofRaised = await link(raised);
  expect((await open(ofRaised)).status).toBe(200);
  const { approval } = await change(admin, raised, ["accountant"]);
  const owner = await bench.as("owner");
  expect((await owner.call(approvalCalls.approve, { params: { id: approval?.id ?? "" } })).data).toMatchObject({ state: "approved" });
  expect((await open(ofRaised)).problem?.code).toBe("staff.invitation_gone");

  const ofDisabled = await link(disabled);
  const set = (isDisabled: boolean, revision: number) =>
    admin.call(people.setDisabled, { params: { id: disabled.member.id }, body: { isDisabled, revision } });
  await set(true, 0);
  await set(false, 1);
  expect((await open(ofDisabled)).problem?.code).toBe("staff.invitation_gone");
});

test("two people who invite the same mailbox at once both get an answer, and the later link works", async () => {
  const other = await bench.as("admin");
  for (let round = 0; round < 5; round += 1) {
    const body = { email: `twice-${round}@chekan.ru`, roles: ["sales" as const] };
    const links = await Promise.all([admin, other].map((each) => each.call(people.invitePerson, { body })));
    expect(links.map(({ status }) => status)).toEqual([200, 200]);
    const opened = await Promise.all(
      links.map(({ data }) => bench.visitor().call(session.openInvitation, { body: { token: data.link.split("#")[1] ?? "" } })),
    );
    expect(opened.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
  }
});

test("resetting the factors of someone with access to money or staff waits for a second person", async () => {
  const [owner, other] = [await bench.as("owner"), await bench.as("owner")];
  const { status, approval } = await admin.call(people.resetFactors, { params: { id: owner.member.id } });
  expect([status, approval?.reason]).toEqual([202, expect.stringContaining("подтверждает второй сотрудник")]);
  expect((await owner.call(session.readMe)).status).toBe(200);
  const params = { id: approval?.id ?? "" };
  expect((await admin.call(approvalCalls.approve, { params })).problem?.code).toBe("approval.own");
  const { data: asked } = await other.call(approvalCalls.readApproval, { params });
  expect(asked.shown?.after).toMatchObject({ login: owner.member.login, roles: ["owner"] });
  expect((await other.call(approvalCalls.approve, { params })).data).toMatchObject({ state: "approved" });
  expect((await owner.call(session.readMe)).status).toBe(401);
  const { answer } = (await admin.call(approvalCalls.readApproval, { params })).data as { answer: { link: string } };
  const opened = await bench.visitor().call(session.openInvitation, { body: { token: answer.link.split("#")[1] ?? "" } });
  expect(opened.data).toMatchObject({ account: { login: owner.member.login } });
});

test("a reset that waits for a change of the account's roles is judged by the new ones", async () => {
  const clerk = await bench.as("packing");
  const reset = await inTransaction(bench.ctx.db, async (tx) => {
    await lockPeople(tx);
    const started = admin.call(people.resetFactors, { params: { id: clerk.member.id } });
    const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await rowsOf(bench.ctx.db, waiting)).length, { timeout: 4_000 }).toBe(1);
    await tx
      .update(staffTable)
      .set({ roles: ["owner"] })
      .where(inArray(staffTable.id, [clerk.member.id]));
    return { started };
  });
  expect((await reset.started).status).toBe(202);
});

test("a role with access to money or staff waits for a second person, and the requester cannot decide", async () => {
  const clerk = await bench.as("sales");
  const owner = await bench.as("owner");
  const { status, approval } = await change(admin, clerk, ["accountant"]);
  expect(status).toBe(202);
  const params = { id: approval?.id ?? "" };
  expect((await clerk.call(session.readMe)).status).toBe(200);

  expect((await admin.call(approvalCalls.approve, { params })).problem?.code).toBe("approval.own");
  expect((await admin.call(approvalCalls.refuse, { params, body: {} })).problem?.code).toBe("approval.own");
  expect((await (await bench.as("editor")).call(approvalCalls.approve, { params })).problem?.code).toBe("staff.not_found");

  const listed = (await owner.call(approvalCalls.readApprovals)).data.items.find(({ id }) => id === approval?.id);
  expect(listed).toMatchObject({ mayDecide: true, isOwn: false, action: "staff.change_roles", body: { roles: ["accountant"] } });
  expect((await owner.call(approvalCalls.approve, { params })).data).toMatchObject({
    state: "approved",
    decidedBy: { login: owner.member.login },
  });
  expect((await clerk.call(session.readMe)).status).toBe(401);

  const entries = (await owner.call(auditCalls.readAudit, { query: { subject: `staff:${clerk.member.login}` } })).data.items;
  expect(entries[0]).toMatchObject({ actor: `staff:${admin.member.login}`, action: "staff.change_roles", approvalId: approval?.id });
  // The audit is filtered by person: all staff are in the choice, and only the entries of the chosen one are returned.
  const people = (await owner.call(auditCalls.readAuditPeople)).data;
  expect(people).toContainEqual({ actor: `staff:${admin.member.login}`, name: admin.member.name });
  const own = (await owner.call(auditCalls.readAudit, { query: { actor: `staff:${admin.member.login}` } })).data.items;
  expect(new Set(own.map(({ actor }) => actor))).toEqual(new Set([`staff:${admin.member.login}`]));
  const decision = (await owner.call(auditCalls.readAudit, { query: { subject: `approval:${approval?.id}` } })).data.items;
  expect(decision.map(({ actor, action }) => [actor, action])).toEqual([
    [`staff:${owner.member.login}`, "approval.approve"],
    [`staff:${admin.member.login}`, "approval.ask"],
  ]);
});

test("whose roles are raised, account is disabled or sign-in is reset is not the second person", async () => {
  const [concerned, owner] = [await bench.as("admin"), await bench.as("owner")];
  const params = { id: concerned.member.id };
  const asked = [await change(admin, concerned, ["admin", "owner"]), await admin.call(people.resetFactors, { params })];
  for (const { approval } of asked) {
    const of = { params: { id: approval?.id ?? "" } };
    expect((await concerned.call(approvalCalls.readApproval, of)).data).toMatchObject({ isConcerned: true, mayDecide: false });
    expect((await concerned.call(approvalCalls.approve, of)).problem?.code).toBe("approval.concerned");
    expect((await concerned.call(approvalCalls.refuse, { ...of, body: {} })).problem?.code).toBe("approval.concerned");
    expect((await owner.call(approvalCalls.readApproval, of)).data).toMatchObject({ isConcerned: false, mayDecide: true });
  }
  const waitFor = async (client: StaffClient) =>
    (await approvals.countWaiting(bench.ctx.db, bench.clock.now(), client.member.id, ["staff"])).count;
  expect((await waitFor(owner)) - (await waitFor(concerned))).toBe(2);
  expect((await owner.call(approvalCalls.approve, { params: { id: asked[0]?.approval?.id ?? "" } })).data.state).toBe("approved");
});

test("every call about one member of staff that may be approved is one that this member does not decide about", () => {
  const about = staffRoutes.flatMap(({ call, handler }) =>
    typeof handler !== "function" && handler.approval && call.path.startsWith("/api/staff/people/{id}") ? [call.audit] : [],
  );
  expect(new Set(about)).toEqual(new Set<string>(actionsAboutMember));
});

test("the second person needs a recent second factor where the permission requires it", async () => {
  const clerk = await bench.as("sales");
  const owner = await bench.as("owner");
  const { approval } = await change(admin, clerk, ["accountant"]);
  bench.clock.advance(minutes(6));
  expect((await owner.call(approvalCalls.approve, { params: { id: approval?.id ?? "" } })).problem?.code).toBe("staff.verify_again");
});

test("two people who approve at once run the call once", async () => {
  const clerk = await bench.as("sales");
  const [first, other] = [await bench.as("owner"), await bench.as("owner")];
  const second = (await bench.secondProcess())(other);
  const { approval } = await change(admin, clerk, ["accountant"]);
  const params = { id: approval?.id ?? "" };
  const answers = await Promise.all([first, second].map((each) => each.call(approvalCalls.approve, { params })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const entries = (await first.call(auditCalls.readAudit, { query: { subject: `staff:${clerk.member.login}` } })).data.items;
  expect(entries).toHaveLength(1);
});

test("an approval expires after a day, and a refused one runs nothing", async () => {
  const clerk = await bench.as("sales");
  const { approval } = await change(admin, clerk, ["accountant"]);
  bench.clock.advance(hours(24));
  const owner = await bench.as("owner");
  expect((await owner.call(approvalCalls.approve, { params: { id: approval?.id ?? "" } })).problem?.code).toBe("approval.expired");
  await approvals.expire(bench.ctx);
  expect((await owner.call(approvalCalls.readApproval, { params: { id: approval?.id ?? "" } })).data.state).toBe("expired");

  const pending = await change(await bench.as("admin"), clerk, ["accountant"]);
  const params = { id: pending.approval?.id ?? "" };
  expect((await owner.call(approvalCalls.refuse, { params, body: { note: "Не договаривались" } })).data).toMatchObject({
    state: "refused",
    note: "Не договаривались",
  });
  expect((await owner.call(approvalCalls.approve, { params })).problem?.code).toBe("approval.decided");
  expect((await owner.call(people.readPeople)).data.people.find(({ id }) => id === clerk.member.id)?.roles).toEqual(["sales"]);
});

test("only the requester takes a waiting request back, and then it cannot be approved", async () => {
  const clerk = await bench.as("sales");
  const owner = await bench.as("owner");
  const { approval } = await change(admin, clerk, ["accountant"]);
  const params = { id: approval?.id ?? "" };
  expect((await owner.call(approvalCalls.withdraw, { params })).problem?.code).toBe("staff.not_found");
  const taken = await admin.call(approvalCalls.withdraw, { params });
  expect(taken.data).toMatchObject({ state: "withdrawn", decidedBy: null, deciders: [], isUnseen: false });
  expect((await owner.call(approvalCalls.approve, { params })).problem?.code).toBe("approval.decided");
  expect((await admin.call(approvalCalls.withdraw, { params })).problem?.code).toBe("approval.decided");
  const entries = (await owner.call(auditCalls.readAudit, { query: { subject: `approval:${params.id}` } })).data.items;
  expect(entries.map(({ action }) => action)).toEqual(["approval.withdraw", "approval.ask"]);

  const expiring = await change(admin, clerk, ["accountant"]);
  bench.clock.advance(hours(24));
  const late = await inTransaction(bench.ctx.db, (tx) => approvals.withdraw(tx, bench.ctx, expiring.approval?.id ?? "", admin.member.id));
  expect(late).toEqual({ ok: false, error: { code: "approval.expired" } });
});

test("the requester sees what was not done among the open ones until noting it; what was done or waits cannot be noted", async () => {
  const clerk = await bench.as("sales");
  const owner = await bench.as("owner");
  const openOf = async (client: StaffClient) =>
    (await client.call(approvalCalls.readApprovals, { query: { state: "open", area: "staff", record: `${clerk.member.id}` } })).data.items;
  const { approval } = await change(admin, clerk, ["accountant"]);
  const params = { id: approval?.id ?? "" };
  expect((await admin.call(approvalCalls.noteSeen, { params })).problem?.code).toBe("staff.not_found");
  await owner.call(approvalCalls.refuse, { params, body: { note: "Не договаривались" } });
  expect(await openOf(admin)).toMatchObject([{ id: params.id, state: "refused", note: "Не договаривались", isUnseen: true }]);
  expect(await openOf(owner)).toEqual([]);
  expect((await owner.call(approvalCalls.noteSeen, { params })).problem?.code).toBe("staff.not_found");
  expect((await admin.call(approvalCalls.noteSeen, { params })).data).toMatchObject({ isUnseen: false });
  expect(await openOf(admin)).toEqual([]);

  const done = await change(admin, clerk, ["accountant"]);
  await owner.call(approvalCalls.approve, { params: { id: done.approval?.id ?? "" } });
  expect(await openOf(admin)).toEqual([]);
  expect((await admin.call(approvalCalls.noteSeen, { params: { id: done.approval?.id ?? "" } })).problem?.code).toBe("staff.not_found");
});

test("a request names who may decide it: not the requester, the person concerned, or a role that needs approval itself", async () => {
  const concerned = await bench.as("owner");
  const owner = await bench.as("owner");
  const sales = await bench.as("sales");
  const { approval } = await change(admin, concerned, ["owner", "accountant"]);
  const { deciders } = (await admin.call(approvalCalls.readApproval, { params: { id: approval?.id ?? "" } })).data;
  expect(deciders).toContain(owner.member.name);
  for (const { member } of [admin, concerned, sales]) expect(deciders).not.toContain(member.name);
});

test("a call that is refused when it runs fails, and the requester reads why", async () => {
  const clerk = await bench.as("sales");
  const owner = await bench.as("owner");
  const { approval } = await change(admin, clerk, ["accountant"]);
  await change(admin, clerk, ["packing"]); // another save came first
  const { data } = await owner.call(approvalCalls.approve, { params: { id: approval?.id ?? "" } });
  expect(data).toMatchObject({ state: "failed", note: "Запись тем временем изменили" });
  expect((await owner.call(people.readPeople)).data.people.find(({ id }) => id === clerk.member.id)?.roles).toEqual(["packing"]);
});

test("an approval of a person who lost the permission meanwhile fails", async () => {
  const clerk = await bench.as("sales");
  const owner = await bench.as("owner");
  const { approval } = await change(admin, clerk, ["accountant"]);
  await change(owner, admin, ["editor"]);
  expect((await owner.call(approvalCalls.approve, { params: { id: approval?.id ?? "" } })).data).toMatchObject({ state: "failed" });
});

test("an approved invitation gives its link to the requester, and to no one else", async () => {
  const owner = await bench.as("owner");
  const { approval } = await admin.call(people.invitePerson, { body: { email: "second@chekan.ru", roles: ["owner"] } });
  const params = { id: approval?.id ?? "" };
  expect((await owner.call(approvalCalls.approve, { params })).status).toBe(200);
  const { answer } = (await admin.call(approvalCalls.readApproval, { params })).data as { answer: { link: string } };
  expect(answer.link).toContain("http://localhost:3001/invite#");
  expect((await owner.call(approvalCalls.readApproval, { params })).data.answer).toBeNull();
});

test("the audit is read page by page, filtered, and exported without formulas", async () => {
  const clerk = await bench.as("sales");
  for (const revision of [0, 1, 2]) await change(admin, clerk, revision % 2 ? ["packing"] : ["editor"], revision);
  const accountant = await bench.as("accountant");
  const query = { actor: `staff:${admin.member.login}`, action: "staff" };
  const { data } = await accountant.call(auditCalls.readAudit, { query });
  expect(data.items.map(({ action }) => action)).toEqual(["staff.change_roles", "staff.change_roles", "staff.change_roles"]);
  const [newest] = data.items;
  const older = await accountant.call(auditCalls.readAudit, { query: { ...query, cursor: String(newest?.id) } });
  expect(older.data.items).toHaveLength(2);
  const exported = await accountant.call(auditCalls.exportAudit, { body: { actor: query.actor } });
  expect(exported.response.headers["content-type"]).toContain("text/csv");
  expect(exported.response.body.split("\r\n")).toHaveLength(5);
  const own = await accountant.call(auditCalls.readAudit, { query: { subject: "audit" } });
  expect(own.data.items[0]?.action).toBe("audit.export");
});

describe("the last two who may invite others", () => {
  /** Disables everyone who may invite others but these. */
  const only = (...clients: StaffClient[]) =>
    bench.ctx.db
      .update(staffTable)
      .set({ disabledAt: bench.clock.now() })
      .where(
        notInArray(
          staffTable.id,
          clients.map(({ member }) => member.id),
        ),
      );
  const disable = (client: StaffClient, who: StaffClient, isDisabled = true) =>
    client.call(people.setDisabled, { params: { id: who.member.id }, body: { isDisabled, revision: 0 } });

  test("disable and lower each other only with the word of another person, at the server if there is none", async () => {
    const other = await bench.as("owner");
    await only(admin, other);
    for (const asked of [await disable(admin, other), await change(admin, other, ["sales"])])
      expect([asked.status, asked.approval?.reason]).toEqual([202, expect.stringContaining("только один человек")]);
    const { approval } = await disable(admin, other);
    expect((await other.call(session.readMe)).status).toBe(200);
    const params = { id: approval?.id ?? "" };
    expect((await other.call(approvalCalls.approve, { params })).problem?.code).toBe("approval.concerned");
    expect((await admin.call(approvalCalls.readApproval, { params })).data.shown).toMatchObject({
      before: { isDisabled: false },
      after: { isDisabled: true, name: other.member.name },
    });
    expect(await approveAtServer(bench.ctx, params.id, "")).toMatchObject({ ok: true });
    expect((await other.call(session.readMe)).status).toBe(401);
  });

  test("of three one is disabled at once, the next one is not, also when two colleagues press at once", async () => {
    const [second, third] = [await bench.as("owner"), await bench.as("admin")];
    await only(admin, second, third);
    await withPassword(second, third);
    const both = await atOnce(() => [disable(admin, third), disable(second, admin)]);
    // Whichever came first, the other one would leave a single person, or has lost the right.
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = (await second.call(people.readPeople)).data.people.filter(({ isDisabled }) => !isDisabled);
    expect(left).toHaveLength(2);
  });

  test("one whose sign-in is set up again, or never was, does not count as left", async () => {
    const [other, third] = [await bench.as("owner"), await bench.as("admin")];
    await only(admin, other, third);
    const asked = await disable(admin, other);
    expect([asked.status, asked.approval?.reason]).toEqual([202, expect.stringContaining("только один человек")]);
    await withPassword(third);
    expect((await disable(admin, other)).status).toBe(200);
  });

  test("a shop with one of them grants and takes roles alone, and enables a colleague", async () => {
    const clerk = await bench.as("sales");
    await only(admin, clerk);
    expect((await change(admin, clerk, ["owner"])).status).toBe(200);
    await only(admin);
    expect(
      (await admin.call(people.setDisabled, { params: { id: clerk.member.id }, body: { isDisabled: false, revision: 1 } })).status,
    ).toBe(200);
  });

  test("to enable an account with access to money or staff is to grant it", async () => {
    const [other, former] = [await bench.as("owner"), await bench.as("owner")];
    await only(admin, other);
    const asked = await disable(admin, former, false);
    expect([asked.status, asked.approval?.reason]).toEqual([202, expect.stringContaining("доступом к деньгам")]);
    expect((await other.call(approvalCalls.approve, { params: { id: asked.approval?.id ?? "" } })).data.state).toBe("approved");
    const clerk = await bench.as("sales");
    await only(admin, other);
    expect((await disable(admin, clerk, false)).status).toBe(200);
  });
});
