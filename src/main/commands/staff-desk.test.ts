import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes } from "#kit/time.ts";
import * as invitations from "#shop/staff/people/invitations.service.ts";
import { aMember, aSession } from "#shop/staff/testing.ts";
import { findSession } from "#shop/staff/sign-in/sessions.service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import type { Config } from "../config.ts";
import { staffCommand } from "./staff-desk.ts";

const config = { STAFF_URL: "https://office.chekan.trial", STAFF_PORT: 3001 } as Config;
let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

const runWith = (settings: Pick<Config, "STAFF_URL" | "STAFF_PORT">, ...words: string[]) =>
  staffCommand(words)?.(shop.ctx, settings as Config);
const run = (...words: string[]) => runWith(config, ...words);

test("the first admin is invited from the command line by a link that works for an hour", async () => {
  const said = await run("invite", "first@chekan.ru", "admin");
  const [link = ""] = said?.lines ?? [];
  expect(link).toMatch(/^https:\/\/office\.chekan\.trial\/invite#[\w-]{43}$/);
  const token = link.split("#")[1] ?? "";
  expect(await invitations.findInvitation(shop.ctx, token)).toMatchObject({
    ok: true,
    value: { email: "first@chekan.ru", roles: ["admin"] },
  });
  shop.clock.advance(minutes(60));
  expect(await invitations.findInvitation(shop.ctx, token)).toMatchObject({ ok: false });
  const { rows } = (await shop.ctx.db.execute(sql`select actor, address from audit_entries where action = 'staff.invite'`)) as unknown as {
    rows: { actor: string; address: string | null }[];
  };
  expect(rows).toEqual([{ actor: "staff:test", address: null }]);
});

test("where the back office has a process of its own, no link to another address is made", async () => {
  const open = async () => (await invitations.listInvitations(shop.ctx)).map(({ email }) => email);
  const before = await open();
  for (const words of [
    ["invite", "second@chekan.ru", "admin"],
    ["approve", "an-approval"],
  ]) {
    const said = await runWith({ STAFF_URL: undefined, STAFF_PORT: null }, ...words);
    expect(said).toEqual({ isDone: false, lines: [expect.stringMatching(/set STAFF_URL/)] });
  }
  expect(await open()).toEqual(before);
  const own = await runWith({ STAFF_URL: "http://localhost:3024", STAFF_PORT: null }, "invite", "second@chekan.ru", "admin");
  expect(own?.lines[0]).toMatch(/^http:\/\/localhost:3024\/invite#/);
  const same = await runWith({ STAFF_URL: undefined, STAFF_PORT: 3021 }, "invite", "third@chekan.ru", "admin");
  expect(same?.lines[0]).toMatch(/^http:\/\/localhost:3021\/invite#/);
});

test("an account is disabled from the command line, and its sessions end", async () => {
  const member = await aMember(shop.ctx, ["sales"]);
  const { sid } = await aSession(shop.ctx, member);
  expect((await run("disable", member.login))?.lines).toEqual([`${member.login} is disabled, its sessions have ended`]);
  expect(await findSession(shop.ctx, sid)).toBeNull();
  expect((await run("disable", "none"))?.isDone).toBe(false);
  expect((await run("list"))?.lines.join("\n")).toContain(`${member.email}  sales  disabled`);
});

test("words that make no sense are refused", () => {
  for (const words of [
    ["invite", "first@chekan.ru", "king"],
    ["invite", "nobody", "admin"],
    ["disable"],
    ["list", "all"],
    ["fire", "ivanova"],
    [],
  ])
    expect(staffCommand(words)).toBeNull();
});
