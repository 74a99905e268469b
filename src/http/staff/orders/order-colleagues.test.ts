import { afterAll, beforeAll, expect, test } from "vitest";
import * as contract from "#contract/staff/orders/orders.ts";
import { grantOf, roles } from "#shop/staff/role.ts";
import { openStaffBench, type StaffBench } from "../testing.ts";

let bench: StaffBench;
beforeAll(async () => {
  bench = await openStaffBench();
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  await bench.close();
});

test("an order can be given to those whose role edits orders, and only they see the list", async () => {
  for (const role of roles) await bench.as(role);
  const editors = roles.filter((role) => grantOf([role], "orders.edit") !== null);
  for (const role of roles) {
    const answer = await (await bench.as(role)).call(contract.readOrderColleagues);
    expect([role, answer.status]).toEqual([role, editors.includes(role) ? 200 : 403]);
    if (answer.status !== 200) continue;
    // Logins of the bench begin with the role.
    const found = new Set(answer.data.map(({ login }) => login.replace(/-\d+$/, "")));
    expect([...found].toSorted()).toEqual(editors.toSorted());
  }
});
