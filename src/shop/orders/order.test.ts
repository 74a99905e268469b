import { describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { isFinal, statesOf, step } from "#kit/transitions.ts";
import { isCancellable, isClosed, orderStates, paymentStatus, type OrderEvent, type OrderState } from "./order.ts";

const events: OrderEvent[] = [
  "pay",
  "assemble",
  "ship",
  "make_ready",
  "arrive",
  "deliver",
  "start_return",
  "turn_back",
  "give_back",
  "unpack",
  "cancel",
  "request_cancel",
  "confirm_cancel",
  "refuse_cancel",
  "expire",
];
const states = statesOf(orderStates);

/** Written out by hand on purpose: a change of the state table must be repeated here. */
const moves: Record<string, OrderState> = {
  "placed assemble": "assembled",
  "placed cancel": "cancelled",
  "placed expire": "cancelled",
  "awaiting_payment pay": "paid",
  "awaiting_payment cancel": "cancelled",
  "awaiting_payment expire": "cancelled",
  "paid assemble": "assembled",
  "paid cancel": "cancelled",
  "assembled ship": "shipped",
  "assembled make_ready": "ready",
  "assembled cancel": "cancelled",
  "assembled request_cancel": "cancellation_requested",
  "assembled unpack": "paid",
  "cancellation_requested confirm_cancel": "cancelled",
  "cancellation_requested refuse_cancel": "assembled",
  "cancellation_requested start_return": "returning",
  "shipped arrive": "ready",
  "shipped deliver": "delivered",
  "shipped start_return": "returning",
  "shipped turn_back": "returned",
  "ready deliver": "delivered",
  "ready start_return": "returning",
  "ready turn_back": "returned",
  "returning deliver": "delivered",
  "returning turn_back": "returned",
  "delivered give_back": "returned",
};
const repeats = new Set([
  "paid pay",
  "assembled assemble",
  "shipped ship",
  "ready make_ready",
  "ready arrive",
  "delivered deliver",
  "returned turn_back",
  "returned give_back",
  "cancelled cancel",
  "cancelled expire",
  "cancelled confirm_cancel",
  "cancellation_requested request_cancel",
  "assembled refuse_cancel",
  "returning start_return",
  "paid unpack",
]);

describe("the life of an order", () => {
  test.each(states.flatMap((state) => events.map((event) => [state, event] as const)))("%s, %s", (state, event) => {
    const move = step(orderStates, state, event);
    const to = moves[`${state} ${event}`];
    if (to) expect(move).toEqual({ kind: "moved", to });
    else expect(move).toEqual({ kind: repeats.has(`${state} ${event}`) ? "already" : "refused" });
  });

  test("every state can be reached and ends in one of the two closed ones", () => {
    const reached = new Set<string>(["placed", "awaiting_payment"]);
    for (const state of reached) for (const to of Object.values(orderStates[state as OrderState])) reached.add(to);
    expect([...reached].sort()).toEqual([...states].sort());
    expect(states.filter((state) => isFinal(orderStates, state))).toEqual(["cancelled", "returned"]);
    expect(states.filter(isClosed)).toEqual(["cancelled", "returned"]);
  });

  test("it can be cancelled until the parcel leaves", () => {
    expect(states.filter(isCancellable)).toEqual(["placed", "awaiting_payment", "paid", "assembled"]);
  });
});

describe("the payment status", () => {
  const order = (state: OrderState, paid = 0, refunded = 0) => ({ state, paid: kopecks(paid), refunded: kopecks(refunded) });
  const attempt = (n: number, state: "new" | "pending" | "waiting_for_capture" | "succeeded" | "canceled", refunded = 0) => ({
    id: `p${n}`,
    orderId: "o",
    attempt: n,
    method: "card" as const,
    amount: kopecks(100),
    refunded: kopecks(refunded),
    state,
    isKept: "undecided" as const,
    provider: "test",
    providerId: null,
    confirmationUrl: null,
    cancellationReason: null,
    createdAt: new Date(0),
    requestedAt: new Date(0),
    settledAt: null,
  });

  test.each([
    ["nothing was tried yet", order("awaiting_payment"), [], "pending"],
    ["an attempt is under way", order("awaiting_payment"), [attempt(1, "pending")], "pending"],
    ["the bank refused, another try is open", order("awaiting_payment"), [attempt(1, "canceled"), attempt(2, "pending")], "pending"],
    ["the bank refused", order("awaiting_payment"), [attempt(1, "canceled")], "canceled"],
    ["the money is held", order("awaiting_payment"), [attempt(1, "waiting_for_capture")], "waiting_for_capture"],
    ["the provider has the money, the order does not know yet", order("awaiting_payment"), [attempt(1, "succeeded")], "pending"],
    ["it is paid", order("paid", 100), [attempt(1, "succeeded")], "succeeded"],
    ["it was cancelled, the money is on its way", order("cancelled", 100), [attempt(1, "succeeded")], "succeeded"],
    ["the money is back", order("cancelled", 100, 100), [attempt(1, "succeeded", 100)], "refunded"],
    ["it ran out unpaid", order("cancelled"), [attempt(1, "pending")], "canceled"],
    ["late money is back", order("cancelled"), [attempt(1, "succeeded", 100)], "refunded"],
  ] as const)("%s", (_, refused, attempts, status) => {
    expect(paymentStatus(refused, attempts)).toBe(status);
  });
});
