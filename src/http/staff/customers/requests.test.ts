import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as contract from "#contract/staff/customers/requests.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { minutes } from "#kit/time.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import type { NewInquiry } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { inquiries as table } from "#shop/inquiries/tables.ts";
import { roles } from "#shop/staff/role.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let bench: StaffBench;
let sales: StaffClient;
beforeAll(async () => {
  bench = await openStaffBench();
});
beforeEach(async () => {
  sales = await bench.as("sales");
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  await bench.close();
});

const sender = { name: "Олег", phone: "+79161234567", email: "oleg@example.ru", isSuspect: false, mayThank: false };
const aCallback = (values: Partial<NewInquiry> = {}) =>
  ({ ...sender, kind: "callback", convenientTime: "после обеда", note: "", ...values }) as NewInquiry;
const aBuyback: NewInquiry = {
  ...sender,
  kind: "buyback",
  coins: [{ title: "Сеятель", count: 3 }],
  condition: "good",
  note: "звоните 8 (916) 123-45-67, пишите oleg@example.ru",
};
const put = async (inquiry: NewInquiry = aCallback()) => (await inquiries.submit(bench.ctx, inquiry)).id;
const read = async (id: number, client = sales) => (await client.call(contract.readRequest, { params: { id } })).data;
const auditOf = async (id: number) =>
  (
    await bench.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `request:${id}`))
  ).map(({ actor, action }) => `${actor} ${action}`);

test("an id that no row can have is not found", async () => {
  for (const id of ["2147483648", "99999999999"]) expect((await sales.call(contract.readRequest, { params: { id } })).status).toBe(404);
});

describe("contacts", () => {
  test("no role sees a full phone or e-mail before opening it: not in the list, the card, a stale save or a sender's note", async () => {
    const id = await put(aBuyback);
    for (const role of roles) {
      const client = await bench.as(role);
      const card = await client.call(contract.readRequest, { params: { id } });
      const list = await client.call(contract.readRequests);
      const stale = await client.call(contract.moveRequest, { params: { id }, body: { revision: 99, event: "take" } });
      for (const { response } of [card, list, stale]) expect(response.body).not.toMatch(/1234567|123-45-67|oleg@/);
      expect([role, card.status]).toEqual([role, ["sales", "buyback", "owner"].includes(role) ? 200 : 403]);
    }
    expect(await read(id)).toMatchObject({ maskedPhone: "+7 ••• •••-45-67", maskedEmail: "o•••@example.ru" });
  });

  test("opening them takes a free request, answers once under its key, and is in the audit: who, what, when", async () => {
    const id = await put();
    const press = { params: { id }, body: { take: true }, key: "one-press" };
    const opened = await sales.call(contract.openRequestContacts, press);
    expect(opened.data).toMatchObject({
      phone: "+79161234567",
      email: "oleg@example.ru",
      request: { state: "in_work", assignee: sales.member.login },
    });
    await sales.call(contract.openRequestContacts, press);
    expect(await auditOf(id)).toEqual([`staff:${sales.member.login} request.open_contacts`]);
    const second = await bench.as("sales");
    await second.call(contract.openRequestContacts, { params: { id }, body: { take: true } });
    expect(await read(id)).toMatchObject({ assignee: sales.member.login });
  });

  test("the buyback desk opens the contacts of its own buyback deals only", async () => {
    const [callback, deal] = [await put(), await put(aBuyback)];
    const desk = await bench.as("buyback");
    const open = (id: number, take: boolean) => desk.call(contract.openRequestContacts, { params: { id }, body: { take } });
    expect((await open(callback, true)).problem?.code).toBe("staff.forbidden");
    expect(await read(callback)).toMatchObject({ state: "received", assignee: null });
    expect((await open(deal, false)).problem?.code).toBe("staff.forbidden");
    expect((await open(deal, true)).data).toMatchObject({ phone: "+79161234567" });
    const other = await bench.as("buyback");
    expect((await other.call(contract.openRequestContacts, { params: { id: deal }, body: { take: true } })).problem?.code).toBe(
      "staff.forbidden",
    );
  });
});

test("open requests come by due time in Moscow, the overdue ones first and counted; finished ones leave the list", async () => {
  await bench.ctx.db.delete(table);
  bench.clock.set(fromMoscow("2026-11-20", "16:50"));
  const partners = await put({ ...sender, kind: "partners", company: "ООО «Ромашка»", city: "Тверь", note: "" });
  const callback = await put();
  const list = async (query: Record<string, string> = {}) => (await sales.call(contract.readRequests, { query })).data;
  expect((await list()).items.map(({ id, dueAt, isOverdue }) => ({ id, dueAt, isOverdue }))).toEqual([
    { id: callback, dueAt: "2026-11-23T10:20:00+03:00", isOverdue: false },
    { id: partners, dueAt: "2026-11-23T18:00:00+03:00", isOverdue: false },
  ]);
  bench.clock.set(fromMoscow("2026-11-23", "10:21"));
  sales = await bench.as("sales"); // the session of Friday has ended
  const later = await list();
  expect(later.items.map(({ id, isOverdue }) => [id, isOverdue])).toEqual([
    [callback, true],
    [partners, false],
  ]);
  expect(later.counts).toEqual({ open: 2, overdue: 1, mine: 0 });
  expect((await list({ kind: "partners" })).items.map(({ id }) => id)).toEqual([partners]);
  expect((await list({ assignee: "nobody" })).items).toHaveLength(2);

  const fresh = await bench.as("sales");
  const answered = await fresh.call(contract.moveRequest, { params: { id: callback }, body: { revision: 0, event: "answer" } });
  expect(answered.data).toMatchObject({ state: "answered", assignee: fresh.member.login, isOverdue: false });
  expect((await list()).items.map(({ id }) => id)).toEqual([partners]);
  expect((await list({ state: "finished" })).items.map(({ id }) => id)).toEqual([callback]);
});

test("a list longer than a page goes on where it ended, without gaps and repeats", async () => {
  await bench.ctx.db.delete(table);
  const ids = [];
  for (let n = 0; n < 55; n += 1) ids.push(await put());
  const first = (await sales.call(contract.readRequests)).data;
  const second = (await sales.call(contract.readRequests, { query: { cursor: first.next ?? "" } })).data;
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect(second.next).toBeNull();
});

test("requests are found by a part of the phone, and by words of the name, of the form and of what came of it", async () => {
  await bench.ctx.db.delete(table);
  const deal = await put(aBuyback);
  const callback = await put(aCallback({ name: "Семён Ёлкин", phone: "+79031119988", note: "100% не звоните утром" }));
  const shop = await put({ ...sender, kind: "partners", company: "ООО «Ромашка»", city: "Тверь", note: "" });
  await sales.call(contract.moveRequest, { params: { id: shop }, body: { revision: 0, event: "answer", outcome: "Прислали прайс" } });
  const found = async (text: string, state = "open") => {
    const { data } = await sales.call(contract.readRequests, { query: { text, state } });
    return data.items.map(({ id }) => id);
  };
  for (const text of ["Ёлкин", "елкин сем", "8 (903) 111-99-88", "+7903111", "9988", "100%", "УТРОМ", "после обеда ёлк"])
    expect([text, await found(text)]).toEqual([text, [callback]]);
  for (const text of ["сеятель", "олег звоните"]) expect([text, await found(text)]).toEqual([text, [deal]]);
  for (const text of ["ромашка тверь", "прайс"]) expect([text, await found(text, "finished")]).toEqual([text, [shop]]);
  for (const text of ["Ромашка", "90_", "note", "Ёлкин Олег", "999999"]) expect([text, await found(text)]).toEqual([text, []]);
  expect(await found("  ")).toEqual(expect.arrayContaining([deal, callback]));

  // Who may open the contacts of its own deals only finds no others by them.
  const desk = await bench.as("buyback");
  const foundByDesk = async (text: string) => (await desk.call(contract.readRequests, { query: { text } })).data.items.map(({ id }) => id);
  expect([await foundByDesk("9988"), await foundByDesk("4567")]).toEqual([[], []]);
  await desk.call(contract.openRequestContacts, { params: { id: deal }, body: { take: true } });
  expect([await foundByDesk("9988"), await foundByDesk("4567")]).toEqual([[], [deal]]);
});

describe("changes", () => {
  test("the second of two clerks on one request sees what the first did, and nothing of it is lost", async () => {
    const id = await put();
    const [anna, vera] = [sales, await bench.as("sales")];
    const press = { params: { id }, body: { revision: 0, event: "take" as const } };
    const results = await Promise.all([anna.call(contract.moveRequest, press), vera.call(contract.moveRequest, press)]);
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = results.find(({ status }) => status === 409);
    const winner = results.find(({ status }) => status === 200)?.data.assignee;
    expect(refused?.problem).toMatchObject({ code: "staff.stale", data: { revision: 1, current: { state: "in_work", assignee: winner } } });
  });

  test("a request is assigned to staff that may answer requests; its due time may be changed while it is open", async () => {
    const id = await put();
    const [colleague, packer] = [await bench.as("owner"), await bench.as("packing")];
    const edit = (body: { revision: number; assignee?: string; dueAt?: string }) =>
      sales.call(contract.editRequest, { params: { id }, body });
    expect((await edit({ revision: 0, assignee: packer.member.login })).problem?.fields).toHaveProperty("assignee");
    expect((await edit({ revision: 0, assignee: colleague.member.login })).data).toMatchObject({
      assignee: colleague.member.login,
      assigneeName: colleague.member.name,
    });
    expect((await sales.call(contract.readRequest, { params: { id } })).data.assigneeName).toBe(colleague.member.name);
    const dueAt = isoMoscow(fromMoscow("2026-12-01", "12:00"));
    expect((await edit({ revision: 1, dueAt })).data).toMatchObject({ dueAt, revision: 2 });
    const names = (await sales.call(contract.readRequestColleagues)).data.map(({ login }) => login);
    expect(names).toContain(colleague.member.login);
    expect(names).not.toContain(packer.member.login);
  });

  test("closing needs a reason, an answered request is answered once, and may be opened again", async () => {
    const id = await put();
    const move = (revision: number, event: "close" | "answer" | "reopen", outcome = "") =>
      sales.call(contract.moveRequest, { params: { id }, body: { revision, event, outcome } });
    expect((await move(0, "close")).problem?.fields).toEqual({ outcome: "Напишите, чем закончилось" });
    expect((await move(0, "answer", "договорились на вторник")).data).toMatchObject({
      state: "answered",
      outcome: "договорились на вторник",
    });
    expect((await move(1, "answer")).problem?.code).toBe("staff.act_refused");
    expect((await move(1, "reopen")).data).toMatchObject({ state: "in_work" });
    const outcome = "8 (916) 123-45-67 не отвечает";
    expect((await move(2, "close", outcome)).data).toMatchObject({ state: "closed", outcome });
    // The request is deleted a year later, its entries in the audit never.
    const entries = await bench.ctx.db
      .select({ after: auditEntries.after })
      .from(auditEntries)
      .where(eq(auditEntries.subject, `request:${id}`));
    expect(entries).toContainEqual({ after: expect.objectContaining({ outcome: "+7 ••• •••-45-67 не отвечает" }) });
  });

  test("notes of staff stay with the request and are deleted with it a year after its answer", async () => {
    const id = await put();
    const noted = await sales.call(contract.addRequestNote, { params: { id }, body: { text: "перезвонить после трёх" } });
    expect(noted.data).toMatchObject([{ author: sales.member.name, text: "перезвонить после трёх" }]);
    await sales.call(contract.moveRequest, { params: { id }, body: { revision: 0, event: "close", outcome: "спам" } });
    bench.clock.advance(minutes(366 * 24 * 60));
    await inquiries.deleteOldAnswered(bench.ctx);
    const again = await bench.as("sales");
    expect((await again.call(contract.readRequest, { params: { id } })).problem?.code).toBe("inquiry.not_found");
  });
});

test("roles that do not answer requests cannot read or change them", async () => {
  const id = await put();
  for (const role of ["packing", "editor", "accountant", "admin"] as const) {
    const client = await bench.as(role);
    for (const { status } of [
      await client.call(contract.readRequests),
      await client.call(contract.readRequestColleagues),
      await client.call(contract.openRequestContacts, { params: { id }, body: { take: true } }),
      await client.call(contract.moveRequest, { params: { id }, body: { revision: 0, event: "take" } }),
      await client.call(contract.editRequest, { params: { id }, body: { revision: 0 } }),
      await client.call(contract.addRequestNote, { params: { id }, body: { text: "…" } }),
    ])
      expect([role, status]).toEqual([role, 403]);
  }
});
