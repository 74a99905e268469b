import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { isFinal, step } from "#kit/transitions.ts";
import {
  actsOf,
  checkLines,
  dealEvents,
  dealStates,
  documentKey,
  isUnderControl,
  pricesByCondition,
  sumOf,
  type DealLine,
  type DealState,
  type LinePart,
} from "./deal.ts";

const now = new Date("2026-11-20T09:00:00Z");
const part = (quantity: number, roubles: number, condition: LinePart["condition"] = "good"): LinePart => ({
  quantity,
  condition,
  unitPrice: kopecks(roubles * 100),
});
const offered = (coinId: number, of: LinePart): DealLine => ({ coinId, offered: { ...of, isTyped: false }, checked: null });

test("coins are paid before they are shelved, and returned only while the shop has them unpaid", () => {
  const path = ["lock", "receive", "check", "pay", "shelve"] as const;
  const after = (state: DealState, event: (typeof dealEvents)[number]): DealState => {
    const move = step(dealStates, state, event);
    if (move.kind !== "moved") throw new Error(`${event} in ${state} is ${move.kind}`);
    return move.to;
  };
  expect(path.reduce<DealState>(after, "offered")).toBe("shelved");
  const from = (event: (typeof dealEvents)[number]) =>
    (Object.keys(dealStates) as DealState[]).filter((each) => step(dealStates, each, event).kind === "moved");
  expect([from("return"), from("cancel"), from("pay"), from("shelve")]).toEqual([
    ["received", "checked"],
    ["offered", "locked"],
    ["checked"],
    ["paid"],
  ]);
  for (const final of ["shelved", "returned", "cancelled"] as const) expect(isFinal(dealStates, final)).toBe(true);
});

test("the proposed price is the buyback price less the discount of the condition, in whole roubles; damaged coins have none", () => {
  expect(pricesByCondition(kopecks(85_447_00))).toEqual({
    perfect: 85_447_00,
    good: 83_738_00,
    fair: 78_611_00,
    damaged: null,
  });
  expect(pricesByCondition(null)).toEqual({ perfect: null, good: null, fair: null, damaged: null });
});

test("a check of what was offered differs in nothing; each other number, condition, price or coin does", () => {
  const lines = [offered(1, part(2, 100)), offered(2, part(1, 50))];
  const same = [
    { coinId: 1, ...part(2, 100) },
    { coinId: 2, ...part(1, 50) },
  ];
  expect(checkLines(lines, same).isDifferent).toBe(false);
  const fewer = checkLines(lines, [{ coinId: 1, ...part(2, 100) }]);
  expect(fewer.isDifferent).toBe(true);
  expect(fewer.lines[1]?.checked).toEqual(part(0, 50));
  for (const other of [part(1, 100), part(2, 99), part(2, 100, "fair")])
    expect(checkLines(lines, [{ coinId: 1, ...other }, same[1]!]).isDifferent).toBe(true);
  const more = checkLines(lines, [...same, { coinId: 3, ...part(1, 70) }]);
  expect([more.isDifferent, more.lines.length, more.lines[2]?.offered]).toEqual([true, 3, null]);
  // A second check that leaves the unannounced coin out forgets it.
  expect(checkLines(more.lines, same)).toEqual({ lines: checkLines(lines, same).lines, isDifferent: false });
});

test("a locked offer whose time has run out can be renewed or cancelled, not received", () => {
  const locked = { state: "locked" as const, lockedUntil: now, identity: null };
  expect(actsOf(locked, new Date(now.getTime() - 1))).toEqual(["receive", "cancel", "identity"]);
  expect(actsOf(locked, now)).toEqual(["renew", "cancel", "identity"]);
  expect(actsOf({ state: "paid", lockedUntil: now, identity: null }, now)).toEqual(["shelve", "receipt"]);
});

test("mandatory control begins with the sum itself, and one document has one key however it is typed", () => {
  const limit = kopecks(1_000_000_00);
  expect(isUnderControl(kopecks(600_000_00), kopecks(399_999_99), limit)).toBe(false);
  expect(isUnderControl(kopecks(600_000_00), kopecks(400_000_00), limit)).toBe(true);
  expect(documentKey({ kind: "passport", series: "45 10", number: "123-456" })).toBe(
    documentKey({ kind: "passport", series: "4510", number: "123456" }),
  );
  expect(sumOf([part(2, 100), part(1, 50)])).toBe(250_00);
});
