import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { file, staffCall } from "#contract/staff/call.ts";
import * as contract from "#contract/staff/access/session.ts";
import { memberHeader } from "#contract/staff/member-header.ts";
import { done, fail } from "#kit/result.ts";
import { hours, minutes } from "#kit/time.ts";
import { staffChange, staffRead } from "./endpoint.ts";
import { sessionEndpoints } from "./access/session.ts";
import { openStaffBench, type StaffBench } from "./testing.ts";

/** A notebook of the tests: calls of every kind over one table. */
const note = z.strictObject({ text: z.string().min(1, "Напишите что-нибудь") });
const written = z.object({ text: z.string() });
const calls = {
  write: staffCall({
    method: "POST",
    path: "/api/staff/notes",
    summary: "",
    permission: "orders.edit",
    audit: "note.write",
    body: note,
    answer: written,
    problems: [],
  }),
  refused: staffCall({
    method: "POST",
    path: "/api/staff/notes/refused",
    summary: "",
    permission: "orders.edit",
    audit: "note.write",
    body: note,
    answer: written,
    problems: ["staff.stale"],
    refusalData: { "staff.stale": z.object({ revision: z.int() }) },
  }),
  silent: staffCall({
    method: "POST",
    path: "/api/staff/notes/silent",
    summary: "",
    permission: "orders.edit",
    audit: "note.write",
    body: note,
    answer: written,
    problems: [],
  }),
  money: staffCall({
    method: "POST",
    path: "/api/staff/notes/money",
    summary: "",
    permission: "orders.refund",
    audit: "note.refund",
    body: note,
    answer: written,
    problems: [],
  }),
  slow: staffCall({
    method: "POST",
    path: "/api/staff/notes/slow",
    summary: "",
    permission: "orders.edit",
    audit: "note.write",
    body: note,
    answer: written,
    problems: [],
  }),
  upload: staffCall({
    method: "POST",
    path: "/api/staff/notes/upload",
    summary: "",
    permission: "content",
    audit: "note.upload",
    body: note,
    maxBodyBytes: 200_000,
    answer: z.object({ length: z.int() }),
    problems: [],
  }),
  secret: staffCall({
    method: "POST",
    path: "/api/staff/notes/secret",
    summary: "",
    permission: "signed_in",
    isSecret: true,
    audit: "note.secret",
    answer: z.object({ word: z.string() }),
    problems: [],
  }),
  read: staffCall({
    method: "GET",
    path: "/api/staff/notes",
    summary: "",
    permission: "orders.read",
    audit: null,
    answer: z.object({ count: z.int(), sum: z.string().optional() }),
    problems: [],
  }),
  print: staffCall({
    method: "GET",
    path: "/api/staff/notes/file",
    summary: "",
    permission: "orders.read",
    audit: null,
    answer: file,
    problems: [],
  }),
};
let runs = 0;
const insert = (text: string) => sql`insert into notes (text) values (${text})`;
const routes = [
  ...sessionEndpoints,
  staffChange(calls.write, {
    change: async (ctx, { body, audit }) => {
      runs += 1;
      await ctx.db.execute(insert(body.text));
      if (body.text === "slow") await ctx.db.execute(sql`select pg_sleep(0.3)`);
      audit({ subject: "note:1", after: { text: body.text } });
      return done({ text: body.text, price: "must not leave" });
    },
  }),
  staffChange(calls.refused, {
    change: async (ctx, { body, audit }) => {
      await ctx.db.execute(insert(body.text));
      audit({ subject: "note:1" });
      return fail({ code: "staff.stale", data: { revision: 3 } });
    },
  }),
  staffChange(calls.silent, {
    change: async (ctx, { body }) => {
      await ctx.db.execute(insert(body.text));
      return done({ text: body.text });
    },
  }),
  staffChange(calls.money, {
    change: async (ctx, { body, audit }) => {
      await ctx.db.execute(insert(body.text));
      audit({ subject: "note:1" });
      return done({ text: body.text });
    },
  }),
  staffChange(calls.slow, {
    // As if a provider answered after an administrator had disabled the account.
    prepare: (ctx, { session }) => ctx.db.execute(sql`delete from staff_sessions where id = ${session.id}`),
    change: async (ctx, { body, audit }) => {
      await ctx.db.execute(insert(body.text));
      audit({ subject: "note:1" });
      return done({ text: body.text });
    },
  }),
  staffChange(calls.upload, {
    change: async (_, { body, audit }) => {
      audit({ subject: "note:1" });
      return done({ length: body.text.length });
    },
  }),
  staffChange(calls.secret, {
    change: async (_, { audit }) => {
      audit({ subject: "note:1" });
      return done({ word: `open sesame ${(runs += 1)}` });
    },
  }),
  staffRead(calls.read, async (_, { may }) => done({ count: 1, ...(may("orders.money") ? { sum: "1 000" } : {}) })),
  staffRead(calls.print, async () => done({ type: "application/pdf", name: "Лист сборки.pdf", bytes: Buffer.from("%PDF") })),
];

let bench: StaffBench;
beforeAll(async () => {
  bench = await openStaffBench({ routes });
  await bench.ctx.db.execute(sql`create table notes (text text)`);
});
afterAll(() => bench.close());

async function count(table: string, where = "true"): Promise<number> {
  const { rows } = (await bench.ctx.db.execute(sql.raw(`select count(*)::int as n from ${table} where ${where}`))) as unknown as {
    rows: { n: number }[];
  };
  return rows[0]?.n ?? 0;
}

test("a call without a session, and one with an unknown session, must sign in", async () => {
  const stranger = bench.visitor();
  expect((await stranger.call(calls.read)).problem?.code).toBe("staff.sign_in_required");
  stranger.cookie = `staff=${"x".repeat(43)}`;
  expect((await stranger.call(calls.write, { body: { text: "a" } })).status).toBe(401);
});

test("a window that shows one member of staff does nothing with the session of another in the same browser", async () => {
  const [first, second] = [await bench.as("sales"), await bench.as("sales")];
  const shows = ({ member }: typeof first) => ({ [memberHeader]: `${member.id}` });
  const body = { text: "wrong name" };
  expect((await second.call(calls.write, { body, headers: shows(first) })).problem?.code).toBe("staff.sign_in_required");
  expect((await second.call(calls.read, { headers: shows(first) })).problem?.code).toBe("staff.sign_in_required");
  expect(await count("notes", "text = 'wrong name'")).toBe(0);
  expect((await second.call(calls.write, { body: { text: "own name" }, headers: shows(second) })).status).toBe(200);
});

test("a session that ends during a provider's call changes nothing any more", async () => {
  const sales = await bench.as("sales");
  expect((await sales.call(calls.slow, { body: { text: "too late" } })).problem?.code).toBe("staff.sign_in_required");
  expect(await count("notes", "text = 'too late'")).toBe(0);
});

test("a role without the permission is refused before anything is read", async () => {
  const editor = await bench.as("editor");
  expect((await editor.call(calls.read)).problem?.code).toBe("staff.forbidden");
  expect((await editor.call(calls.write, { body: { text: "" } })).problem?.code).toBe("staff.forbidden");
});

test("a change, its audit entry and its answer are stored together, with the actor and where it came from", async () => {
  const sales = await bench.as("sales");
  const { status, data } = await sales.call(calls.write, { body: { text: "together" }, headers: { "user-agent": "Firefox" } });
  expect({ status, data }).toEqual({ status: 200, data: { text: "together" } });
  expect(await count("notes", "text = 'together'")).toBe(1);
  expect(
    await count(
      "audit_entries",
      `actor = 'staff:${sales.member.login}' and action = 'note.write' and after->>'text' = 'together' ` +
        "and user_agent = 'Firefox' and address = '127.0.0.1'",
    ),
  ).toBe(1);
});

test("wrong fields get Russian messages by name, and nothing is stored", async () => {
  const sales = await bench.as("sales");
  const { status, problem } = await sales.call(calls.write, { body: { text: "" } });
  expect(status).toBe(422);
  expect(problem?.fields).toEqual({ text: "Напишите что-нибудь" });
});

test("a refusal rolls the change and its audit entry back", async () => {
  const sales = await bench.as("sales");
  const { problem } = await sales.call(calls.refused, { body: { text: "rolled back" } });
  expect(problem).toMatchObject({ code: "staff.stale", data: { revision: 3 } });
  expect(await count("notes", "text = 'rolled back'")).toBe(0);
  expect(await count("audit_entries", `actor = 'staff:${sales.member.login}'`)).toBe(0);
});

test("a change that forgets its audit entry does not happen", async () => {
  const sales = await bench.as("sales");
  expect((await sales.call(calls.silent, { body: { text: "unaudited" } })).status).toBe(503);
  expect(await count("notes", "text = 'unaudited'")).toBe(0);
});

test("when the audit cannot be written nothing changes", async () => {
  const sales = await bench.as("sales");
  await bench.ctx.db.execute(sql`alter table audit_entries add constraint broken check (subject <> 'note:1') not valid`);
  const { status } = await sales.call(calls.write, { body: { text: "no audit" } });
  await bench.ctx.db.execute(sql`alter table audit_entries drop constraint broken`);
  expect(status).toBe(503);
  expect(await count("notes", "text = 'no audit'")).toBe(0);
});

test("a repeated call gets the first answer, one with other data and the same key is refused", async () => {
  const sales = await bench.as("sales");
  const first = await sales.call(calls.write, { body: { text: "once" }, key: "press-1" });
  const again = await sales.call(calls.write, { body: { text: "once" }, key: "press-1" });
  expect(again.response.body).toBe(first.response.body);
  expect(await count("notes", "text = 'once'")).toBe(1);
  const other = await sales.call(calls.write, { body: { text: "other" }, key: "press-1" });
  expect(other.problem?.code).toBe("staff.key_reused");
  expect(await count("notes", "text = 'other'")).toBe(0);
  const missing = await sales.call(calls.write, { body: { text: "no key" }, key: null });
  expect(missing.problem?.code).toBe("staff.key_missing");
});

test("the key of one member of staff says nothing about another's", async () => {
  const [first, second] = [await bench.as("sales"), await bench.as("sales")];
  await first.call(calls.write, { body: { text: "mine" }, key: "shared" });
  expect((await second.call(calls.write, { body: { text: "mine" }, key: "shared" })).status).toBe(200);
  expect(await count("notes", "text = 'mine'")).toBe(2);
});

test("a double press on two processes is carried out once, and both get its answer", async () => {
  const sales = await bench.as("sales");
  const elsewhere = (await bench.secondProcess())(sales);
  const before = runs;
  const answers = await Promise.all(
    [sales, elsewhere, sales].map((each) => each.call(calls.write, { body: { text: "slow" }, key: "double" })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await count("notes", "text = 'slow'")).toBe(1);
  expect(runs - before).toBe(1);
});

test("after a refusal the same key may be used again", async () => {
  const sales = await bench.as("sales");
  for (const _ of [1, 2]) expect((await sales.call(calls.refused, { body: { text: "x" }, key: "again" })).status).toBe(409);
});

test("a secret answer is stored encrypted, and a repeated call gets it back", async () => {
  const sales = await bench.as("sales");
  const first = await sales.call(calls.secret, { key: "secret" });
  expect((await sales.call(calls.secret, { key: "secret" })).data).toEqual(first.data);
  expect(await count("staff_call_keys", "answer::text like '%sesame%'")).toBe(0);
});

test("five minutes after the second factor calls about money require it again, reading does not", async () => {
  const accountant = await bench.as("accountant");
  expect((await accountant.call(calls.money, { body: { text: "fresh" } })).status).toBe(200);
  bench.clock.advance(minutes(5));
  expect((await accountant.call(calls.money, { body: { text: "late" } })).problem?.code).toBe("staff.verify_again");
  expect((await accountant.call(calls.read)).status).toBe(200);
  expect(await count("notes", "text = 'late'")).toBe(0);
});

test("a grant of `asks` stores the call for a second person and does nothing yet", async () => {
  const sales = await bench.as("sales");
  const { status, approval } = await sales.call(calls.money, { body: { text: "asked" }, key: "ask" });
  expect(status).toBe(202);
  expect(approval?.reason).toContain("второй сотрудник");
  expect((await sales.call(calls.money, { body: { text: "asked" }, key: "ask" })).approval).toEqual(approval);
  expect(await count("notes", "text = 'asked'")).toBe(0);
  expect(await count("approvals", `id = '${approval?.id}' and state = 'waiting'`)).toBe(1);
});

test("an answer has only the fields of the contract, and no sums for a role that may not see them", async () => {
  expect((await (await bench.as("packing")).call(calls.read)).data).toEqual({ count: 1 });
  expect((await (await bench.as("sales")).call(calls.read)).data).toEqual({ count: 1, sum: "1 000" });
});

test("a file is an attachment with its Russian name", async () => {
  const { response } = await (await bench.as("sales")).call(calls.print);
  expect(response.headers["content-disposition"]).toBe(
    `attachment; filename="___________.pdf"; filename*=UTF-8''${encodeURIComponent("Лист сборки.pdf")}`,
  );
  expect(response.headers["cache-control"]).toBe("private, no-store");
  expect(response.rawPayload.toString()).toBe("%PDF");
});

test("a window that opens a document without a session reads why, and programs get JSON", async () => {
  const read = (accept: string) => bench.app.inject({ url: calls.print.path, headers: { host: "localhost:3001", accept } });
  const window = await read("text/html,application/xhtml+xml,*/*;q=0.8");
  expect([window.statusCode, window.headers["content-type"]]).toEqual([401, "text/html; charset=utf-8"]);
  expect(window.body).toContain("Войдите ещё раз");
  expect((await read("application/json")).json()).toMatchObject({ code: "staff.sign_in_required" });
});

test("a call has its own limit for the body", async () => {
  const editor = await bench.as("editor");
  expect((await editor.call(calls.upload, { body: { text: "x".repeat(150_000) } })).data).toEqual({ length: 150_000 });
  expect((await editor.call(calls.upload, { body: { text: "x".repeat(250_000) } })).status).toBe(413);
  expect(
    (await editor.call(contract.signOut, { body: undefined, headers: { "content-type": "application/json", "content-length": "100000" } }))
      .status,
  ).toBe(413);
});

test("a session ends after eight hours without a call, after twelve in any case, and by signing out", async () => {
  const idle = await bench.as("sales");
  bench.clock.advance(hours(8));
  expect((await idle.call(contract.readMe)).status).toBe(401);

  const busy = await bench.as("sales");
  for (const _ of [1, 2]) {
    bench.clock.advance(hours(5));
    expect((await busy.call(contract.readMe)).status).toBe(200);
  }
  bench.clock.advance(hours(2));
  expect((await busy.call(contract.readMe)).status).toBe(401);

  const leaving = await bench.as("sales");
  const { cookie } = leaving;
  expect((await leaving.call(contract.signOut)).status).toBe(200);
  expect(leaving.cookie).toBe("");
  leaving.cookie = cookie;
  expect((await leaving.call(contract.readMe)).status).toBe(401);
});

test("changes that come from another site, another origin or as a form are refused", async () => {
  const sales = await bench.as("sales");
  const forgeries: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://localhost:3000" },
    { "content-type": "text/plain" },
  ];
  for (const headers of forgeries)
    expect([403, 415]).toContain((await sales.call(calls.write, { body: { text: "forged" }, headers })).status);
  expect((await sales.call(calls.read, { headers: { host: "evil.example" } })).status).toBe(421);
  const probe = (url: string) => bench.app.inject({ url, headers: { host: "127.0.0.1:3021" } }).then(({ statusCode }) => statusCode);
  expect([await probe("/healthz"), await probe("/readyz"), await probe("/metrics")]).toEqual([200, 200, 421]);
  expect(await count("notes", "text = 'forged'")).toBe(0);
});

test("an address that is not a call is answered as JSON", async () => {
  const response = await bench.app.inject({ url: "/api/staff/none", headers: { host: "localhost:3001" } });
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: "request.not_found" });
});
