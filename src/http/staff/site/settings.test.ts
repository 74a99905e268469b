import { afterAll, beforeAll, expect, test } from "vitest";
import { approve, readApprovals } from "#contract/staff/access/approvals.ts";
import { readAudit } from "#contract/staff/access/audit.ts";
import { listSettings, readSettings, readSettingsHistory, restoreSettings, saveSettings } from "#contract/staff/site/settings.ts";
import { readMe } from "#contract/staff/access/session.ts";
import { readWaiting } from "#contract/staff/waiting/waiting.ts";
import { minutes } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import * as settings from "#shop/settings/service.ts";
import type { SettingKey } from "#shop/settings/forms.ts";
import type { Config } from "#main/config.ts";
import { staffCommand } from "#main/commands/staff-desk.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let bench: StaffBench;
beforeAll(async () => {
  bench = await openStaffBench();
});
afterAll(async () => {
  expect(await checkLedger(bench.ctx.db)).toEqual([]);
  await bench.close();
});

async function save(client: Pick<StaffClient, "call">, key: SettingKey, values: Record<string, unknown>) {
  const { data } = await client.call(readSettings, { params: { key } });
  return client.call(saveSettings, { params: { key }, body: { revision: data.revision, values: { ...data.values, ...values } } });
}
const requisites = { LEGAL_NAME: "ООО «Чекан»", OGRN: "1207700000001", ADDRESS: "Москва, Новая, 2", INN: "7700000009" };

test("owner and admin change settings soon after the second factor; the author and the time are shown beside the group and in the audit", async () => {
  const owner = await bench.as("owner");
  const saved = await save(owner, "requests", { callbackDueMinutes: 40 });
  expect(saved.data).toMatchObject({ revision: 1, isStored: true, changedBy: { login: owner.member.login, name: owner.member.name } });
  const { data } = await owner.call(readAudit, { query: { subject: "settings:requests" } });
  expect(data.items).toMatchObject([{ action: "settings.change", before: { callbackDueMinutes: 30 }, after: { callbackDueMinutes: 40 } }]);
  const groups = (await (await bench.as("admin")).call(listSettings)).data;
  expect(groups.find(({ key }) => key === "requests")).toMatchObject({ isStored: true, changedBy: { name: owner.member.name } });
  expect((await (await bench.as("sales")).call(listSettings)).problem?.code).toBe("staff.forbidden");
  bench.clock.advance(minutes(6));
  expect((await save(owner, "requests", { callbackDueMinutes: 41 })).problem?.code).toBe("staff.verify_again");
});

test("a limit that was changed in the office is enforced for the next request", async () => {
  const owner = await bench.as("owner");
  const before = await bench.as("sales");
  expect((await save(owner, "load", { requestsPerMinute: 10 })).status).toBe(200);
  await settings.refresh(bench.ctx); // what the process does every second
  const answers = [];
  for (let count = 0; count < 12; count += 1) answers.push((await before.call(readMe)).status);
  expect(answers.filter((status) => status === 429)).toHaveLength(2);
  const admin = await bench.as("admin");
  await save(admin, "load", { requestsPerMinute: 100_000 });
  await settings.refresh(bench.ctx);
});

test("requisites of one person wait for a second one, and are changed once", async () => {
  const [owner, admin] = [await bench.as("owner"), await bench.as("admin")];
  const wrong = await save(owner, "requisites", { ...requisites, INN: "7700000008" });
  expect(wrong.problem).toMatchObject({ code: "request.invalid", fields: { INN: expect.stringContaining("ИНН") } });
  const pending = await save(owner, "requisites", requisites);
  expect(pending.approval?.reason).toMatch(/вдвоём/);
  expect((await owner.call(readSettings, { params: { key: "requisites" } })).data.revision).toBe(0);
  const id = pending.approval?.id ?? "";
  expect((await admin.call(readWaiting)).data).toMatchObject([{ id: "approvals", count: 1 }]);
  expect((await owner.call(readWaiting)).data.map((group) => group.id)).not.toContain("approvals");
  expect((await admin.call(readApprovals)).data.items[0]?.shown).toMatchObject({
    before: { ADDRESS: "Москва, ул. Монетная, 1" },
    after: { ADDRESS: "Москва, Новая, 2" },
  });
  expect((await owner.call(approve, { params: { id } })).problem?.code).toBe("approval.own");
  expect((await admin.call(approve, { params: { id } })).data).toMatchObject({ state: "approved" });
  expect((await admin.call(approve, { params: { id } })).problem?.code).toBe("approval.decided");
  expect((await owner.call(readSettings, { params: { key: "requisites" } })).data).toMatchObject({
    revision: 1,
    values: { ADDRESS: "Москва, Новая, 2" },
    changedBy: { login: owner.member.login },
  });
  await settings.refresh(bench.ctx);
  expect(bench.ctx.settings.seller.address).toBe("Москва, Новая, 2");
  const back = await owner.call(restoreSettings, { params: { key: "taxes" }, body: { revision: 0, to: 0 } });
  expect(back.approval?.reason).toMatch(/вдвоём/);
});

test("a shop with one approver confirms a change of limits at the server, once and on record", async () => {
  const owner = await bench.as("owner");
  const pending = await save(owner, "approvals", { priceApprovalCoins: 60 });
  const id = pending.approval?.id ?? "";
  const desk = (...words: string[]) => staffCommand(words)!(bench.ctx, { STAFF_PORT: 3001 } as Config);
  expect((await desk("approvals")).lines.join("\n")).toContain(`${id}  settings.change  ${owner.member.login}`);
  expect((await owner.call(readSettings, { params: { key: "approvals" } })).data.values).toMatchObject({ priceApprovalCoins: 50 });
  expect(await desk("approve", id)).toEqual({ isDone: true, lines: ["settings.change is done"] });
  expect((await owner.call(readSettings, { params: { key: "approvals" } })).data).toMatchObject({
    values: { priceApprovalCoins: 60 },
    changedBy: { login: owner.member.login },
  });
  const { data } = await owner.call(readAudit, { query: { subject: `approval:${id}` } });
  expect(data.items[0]).toMatchObject({ action: "approval.approve", actor: "staff:test", address: null, after: { isAtServer: true } });
  expect(await desk("approve", id)).toMatchObject({ isDone: false, lines: [`${id} is refused: approval.decided`] });
  const stale = await save(owner, "approvals", { priceApprovalCoins: 70 });
  const other = await save(owner, "approvals", { priceApprovalCoins: 80 });
  expect((await desk("approve", other.approval?.id ?? "")).isDone).toBe(true);
  expect((await desk("approve", stale.approval?.id ?? "")).lines).toEqual([`${stale.approval?.id} is refused: staff.stale`]);
  const [failed] = (await owner.call(readApprovals, { query: { state: "decided" } })).data.items.filter(
    (each) => each.id === stale.approval?.id,
  );
  expect(failed?.state).toBe("failed");
});

test("requisites that were approved after another change are not executed", async () => {
  const [owner, admin] = [await bench.as("owner"), await bench.as("admin")];
  const first = await save(owner, "requisites", { ...requisites, BANK: "Банк А" });
  const second = await save(owner, "requisites", { ...requisites, BANK: "Банк Б" });
  expect((await admin.call(approve, { params: { id: first.approval?.id ?? "" } })).data.state).toBe("approved");
  expect((await admin.call(approve, { params: { id: second.approval?.id ?? "" } })).data.state).toBe("failed");
});

test("a stale save gets both versions and who changed it", async () => {
  const [owner, admin] = [await bench.as("owner"), await bench.as("admin")];
  const seen = (await owner.call(readSettings, { params: { key: "office" } })).data;
  const days = ["Mon", "Tue"];
  await save(admin, "office", { sessions: [{ days, from: "11:00", till: "17:00" }] });
  const { problem } = await owner.call(saveSettings, { params: { key: "office" }, body: { revision: seen.revision, values: seen.values } });
  expect(problem).toMatchObject({
    code: "staff.stale",
    data: { revision: 1, current: { values: { sessions: [{ from: "11:00" }] }, changedBy: { name: admin.member.name } } },
  });
});

test("an earlier version comes back from the history", async () => {
  const owner = await bench.as("owner");
  await save(owner, "delivery", { returnDays: 20 });
  await save(owner, "delivery", { returnDays: 25 });
  const { data } = await owner.call(readSettingsHistory, { params: { key: "delivery" } });
  expect(data.items.map(({ before, after }) => [before.returnDays, after.returnDays])).toEqual([
    [20, 25],
    [30, 20],
  ]);
  const back = await owner.call(restoreSettings, { params: { key: "delivery" }, body: { revision: 2, to: 1 } });
  expect(back.data).toMatchObject({ revision: 3, values: { returnDays: 20 } });
});
