import { getTableConfig, PgDialect } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";
import { fromRoubles, kopecks } from "#kit/money.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { isFinal, statesOf, step } from "#kit/transitions.ts";
import { defaultLimits } from "#shop/settings.ts";
import {
  currentOf,
  canBePaid,
  isOverLimit,
  methodById,
  nextCheckAfter,
  nextCheckAfterFailure,
  paymentMethods,
  paymentStates,
  refundStates,
  statusOf,
} from "./payment.ts";
import { payments, refunds } from "./tables.ts";

const checkOf = (table: typeof payments | typeof refunds, name: string): string => {
  const check = getTableConfig(table).checks.find((each) => each.name === name);
  return check ? new PgDialect({ casing: "snake_case" }).sqlToQuery(check.value).sql : "";
};
const wordsOf = (sql: string): string[] => [...sql.matchAll(/'([^']+)'/g)].map((each) => each[1] ?? "");

describe("the life of a payment", () => {
  test("names the same states as the database allows, each of them reachable", () => {
    for (const [table, check, states] of [
      [payments, "payments_state", paymentStates],
      [refunds, "refunds_state", refundStates],
    ] as const) {
      expect(wordsOf(checkOf(table, check)).toSorted()).toEqual(statesOf(states).toSorted());
      const reached = new Set<string>(["new"]);
      for (const state of reached) for (const to of Object.values(states[state as keyof typeof states])) reached.add(to);
      expect([...reached].toSorted()).toEqual(statesOf(states).toSorted());
    }
    expect(statesOf(paymentStates).filter((each) => isFinal(paymentStates, each))).toEqual(["succeeded", "canceled"]);
  });

  test("never goes backwards: no event leads out of a settled payment", () => {
    for (const event of ["create", "hold", "succeed", "cancel"] as const) {
      for (const state of ["succeeded", "canceled"] as const) expect(step(paymentStates, state, event).kind).not.toBe("moved");
    }
    expect(step(paymentStates, "pending", "create").kind).toBe("already");
  });

  test("has the methods that the database allows, with their limits", () => {
    expect(wordsOf(checkOf(payments, "payments_method")).toSorted()).toEqual(paymentMethods.map((each) => each.name).toSorted());
    const over = (id: number, roubles: number) => isOverLimit(methodById(id) ?? paymentMethods[0], fromRoubles(roubles), defaultLimits);
    expect([over(4, 350_000), over(4, 350_000.01), over(5, 700_000), over(5, 700_000.01), over(6, 90_000_000), over(7, 700_001)]).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(methodById(8)).toBeNull();
  });
});

describe("repeating a status request", () => {
  const made = new Date("2026-11-20T09:00:00Z");
  test("comes within a minute while the link can be paid, hourly to two days, daily to the eighth, then never", () => {
    let at = made;
    const waits: number[] = [];
    for (let next = nextCheckAfter(made, at); next; next = nextCheckAfter(made, at)) {
      waits.push(next.getTime() - at.getTime());
      at = next;
    }
    expect(waits.slice(0, 6).every((each) => each === seconds(20))).toBe(true);
    const whilePayable = waits.filter((_, index) => waits.slice(0, index + 1).reduce((a, b) => a + b, 0) <= hours(1));
    expect(Math.max(...whilePayable)).toBeLessThanOrEqual(seconds(50));
    expect(at.getTime() - made.getTime()).toBeGreaterThan(days(8));
    expect(waits.length).toBeLessThan(140);
    expect(waits.filter((each) => each === hours(1)).length).toBeGreaterThan(45);
    expect(waits.slice(-6).every((each) => each === days(1))).toBe(true);
  });

  test("comes within ten minutes after a request without an answer, and no later than without one", () => {
    const waitAt = (age: number) => {
      const now = plus(made, age);
      const next = nextCheckAfterFailure(made, now);
      return next && next.getTime() - now.getTime();
    };
    const ages = [0, minutes(30), hours(3), days(4), days(9)];
    expect(ages.map(waitAt)).toEqual([seconds(20), seconds(50), minutes(10), minutes(10), null]);
  });

  test("a link lives for an hour", () => {
    const attempt = { state: "pending" as const, provider: "yookassa", requestedAt: made };
    expect([canBePaid(attempt, plus(made, minutes(60) - 1)), canBePaid(attempt, plus(made, minutes(60)))]).toEqual([true, false]);
    expect(canBePaid({ ...attempt, provider: "by_hand" }, plus(made, days(1)))).toBe(true);
    expect(canBePaid({ ...attempt, state: "canceled" }, made)).toBe(false);
  });
});

describe("the status shown to the buyer", () => {
  const attempt = (change: Partial<Parameters<typeof currentOf>[0][number]>) => ({
    attempt: 1,
    state: "pending" as const,
    isKept: "undecided" as const,
    ...change,
  });
  test("the status comes from the kept attempt, then a succeeded one, then an open one, then the newest", () => {
    const canceled = attempt({ attempt: 3, state: "canceled" });
    const living = attempt({ attempt: 2 });
    const kept = attempt({ attempt: 1, state: "succeeded", isKept: "kept" });
    const second = attempt({ attempt: 4, state: "succeeded", isKept: "returned" });
    expect(currentOf([kept, living, canceled, second])).toBe(kept);
    expect(currentOf([living, canceled, second])).toBe(second);
    expect(currentOf([living, canceled])).toBe(living);
    expect(currentOf([canceled, { ...canceled, attempt: 1 }])).toBe(canceled);
    expect(currentOf([])).toBeNull();
  });

  test("money that went back in full is refunded, in part it is not", () => {
    const paid = { state: "succeeded" as const, amount: kopecks(100), refunded: kopecks(99) };
    expect([statusOf(paid), statusOf({ ...paid, refunded: kopecks(100) }), statusOf({ ...paid, state: "new" })]).toEqual([
      "succeeded",
      "refunded",
      "pending",
    ]);
  });
});
