import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grantOf, roles, type Role } from "#shop/staff/role.ts";
import type { StaffCall } from "#contract/staff/call.ts";
import { minutes } from "#kit/time.ts";
import { staffRoutes } from "./routes.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "./testing.ts";

/** Every call of the back office × every role: a new call is checked here without being named. */
let bench: StaffBench;
const clients = new Map<Role, StaffClient>();
beforeAll(async () => {
  // All calls of all roles come from one address.
  bench = await openStaffBench({ limits: { staffFailures: 100_000, addressWritesPerMinute: 100_000 } });
});
afterAll(() => bench.close());

/** A session with a factor as old as the test wants it. */
async function clientOf(role: Role): Promise<StaffClient> {
  const known = clients.get(role);
  if (known) return known;
  const made = await bench.as(role);
  clients.set(role, made);
  return made;
}

const calls = staffRoutes.map(({ call }) => ({ name: `${call.method} ${call.path}`, call }));
/** Ids of nothing. */
const paramsOf = ({ path }: StaffCall) => Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "999999999"]));
/** Says nothing that any schema accepts, so that no call changes anything. */
const send = (client: Pick<StaffClient, "call">, call: StaffCall) =>
  client.call(call, {
    params: paramsOf(call),
    ...(call.body ? { body: (call.isBinary ? Buffer.from("no picture") : { nonsense: true }) as never } : {}),
  });
/** The guard let the call through; what the handler or a schema says of the nonsense does not matter here. */
const refusedByGuard = ["staff.sign_in_required", "staff.forbidden", "staff.verify_again"];
const codeOf = async (client: Pick<StaffClient, "call">, call: StaffCall) => (await send(client, call)).problem?.code ?? "answered";

/** Calls that end the session they are made with, and those that sign in: each has a test of its own. */
const endsSession = (call: StaffCall) => /sign-out|sessions\/end$/.test(call.path);

test("paths and methods are unique, and every change names its audit action", () => {
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length);
  expect(calls.filter(({ call }) => (call.method === "GET" || "isRead" in call) !== (call.audit === null)).map(({ name }) => name)).toEqual(
    [],
  );
});

test("only sign-in and invitations are open without a session", () => {
  const open = calls.filter(({ call }) => call.permission === "public").map(({ name }) => name);
  expect(open.toSorted()).toEqual([
    "GET /api/staff/sign-in",
    "GET /api/staff/sign-in/passkey",
    "POST /api/staff/demo-sign-in",
    "POST /api/staff/invitations/accept",
    "POST /api/staff/invitations/open",
    "POST /api/staff/sign-in/passkey",
    "POST /api/staff/sign-in/password",
  ]);
});

test.each(calls.filter(({ call }) => call.permission !== "public"))("$name needs a session", async ({ call }) => {
  expect(await codeOf(bench.visitor(), call)).toBe("staff.sign_in_required");
});

describe.each(roles)("%s", (role) => {
  test.each(calls.filter(({ call }) => call.permission !== "public" && !endsSession(call)))("$name", async ({ call }) => {
    const code = await codeOf(await clientOf(role), call);
    const isAllowed = call.permission === "signed_in" || grantOf([role], call.permission as never) !== null;
    if (isAllowed) expect(refusedByGuard).not.toContain(code);
    else expect(code).toBe("staff.forbidden");
  });
});

test("six minutes after the second factor, exactly the calls that require it again are stopped", async () => {
  const stale = new Map<Role, StaffClient>();
  for (const role of roles) stale.set(role, await bench.as(role));
  bench.clock.advance(minutes(6));
  for (const [role, client] of stale)
    for (const { name, call } of calls) {
      if (call.permission === "public" || endsSession(call)) continue;
      const grant = call.permission === "signed_in" ? "yes" : grantOf([role], call.permission);
      if (grant === null) continue;
      const isStopped = call.needsStepUp === true || (grant === "again" && call.method !== "GET");
      expect({ role, name, isStopped: (await codeOf(client, call)) === "staff.verify_again" }).toEqual({ role, name, isStopped });
    }
});

test("every call that may need approval stores what it would change", () => {
  const asking = staffRoutes.flatMap(({ call, handler }) => (typeof handler !== "function" && handler.approval ? [{ call, handler }] : []));
  expect(asking.length).toBeGreaterThan(15);
  expect(asking.filter(({ handler }) => !handler.shown).map(({ call }) => `${call.method} ${call.path}`)).toEqual([]);
});
