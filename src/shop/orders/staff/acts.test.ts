import { describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { statesOf } from "#kit/transitions.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { grantOf, roles, type Role } from "#shop/staff/role.ts";
import { orderStates, type OrderState } from "../order.ts";
import { acts, actsOf, refusalOf, type Act, type ActFacts } from "./acts.ts";

const unpaidStates: readonly OrderState[] = ["placed", "awaiting_payment"];
const inState = (state: OrderState, change: Partial<ActFacts> = {}): ActFacts => ({
  state,
  deliveryId: deliveryIds.courier,
  paymentMethodId: paymentIds.card,
  left: kopecks(unpaidStates.includes(state) ? 0 : 100_00),
  pieces: 3,
  parcel: null,
  isRepacking: false,
  hasOpenRefund: false,
  isAnonymous: false,
  ...change,
});
const states = statesOf(orderStates);

/** Written out by hand on purpose: the states in which an order of a courier, paid by card, allows the act. */
const table: Record<Act, readonly OrderState[]> = {
  assemble: ["placed", "paid"],
  seal: ["assembled", "shipped", "ready"],
  ship: ["assembled"],
  make_ready: [],
  arrive: ["shipped"],
  deliver: ["shipped", "ready", "returning"],
  turn_back: ["shipped", "ready", "returning"],
  give_back: ["delivered"],
  cancel: ["placed", "awaiting_payment", "paid", "assembled"],
  confirm_cancel: ["cancellation_requested"],
  pay: states,
  refund: ["paid", "assembled", "shipped", "ready", "returning", "delivered", "cancelled", "returned"],
  drop_pieces: ["paid", "assembled"],
  settle_refund: [],
  resend_parcel: [],
  change_recipient: ["placed", "awaiting_payment", "paid", "assembled"],
  change_point: [],
  change_address: ["placed", "awaiting_payment", "paid", "assembled"],
  add_coins: ["placed", "awaiting_payment", "paid", "assembled"],
  assign: states,
  comment: states,
};

/** The acts of each role in the states that allow them. */
const ofRole: Record<Role, readonly Act[]> = {
  sales: acts.filter((act) => act !== "pay"),
  packing: ["assemble", "seal", "ship", "make_ready"],
  buyback: [],
  editor: [],
  accountant: ["pay", "refund", "drop_pieces", "settle_refund"],
  owner: acts,
  admin: [],
};

describe("what can be done with an order", () => {
  test.each(states)("in the state %s", (state) => {
    const allowed = acts.filter((act) => refusalOf(act, inState(state)) === null);
    expect(allowed).toEqual(acts.filter((act) => table[act].includes(state)));
  });

  test.each(roles.flatMap((role) => states.map((state) => [role, state] as const)))("by %s in the state %s", (role, state) => {
    const found = actsOf(inState(state), (permission) => grantOf([role], permission));
    expect(found.map(({ act }) => act)).toEqual(acts);
    for (const { act, grant, reason } of found) {
      expect([act, grant !== null]).toEqual([act, ofRole[role].includes(act)]);
      expect([act, reason === null]).toEqual([act, ofRole[role].includes(act) && table[act].includes(state)]);
    }
  });

  test("each refusal is a Russian sentence", () => {
    for (const state of states)
      for (const { reason } of actsOf(inState(state, { deliveryId: deliveryIds.office }), () => "yes"))
        if (reason !== null) expect(reason).toMatch(/^[А-ЯЁ][^.]{7,}$/u);
  });
});

test("an order of the office becomes ready there and is not shipped", () => {
  const packed = inState("assembled", { deliveryId: deliveryIds.office });
  expect(refusalOf("make_ready", packed)).toBeNull();
  expect(refusalOf("ship", packed)).toBe("Заказ забирают в офисе");
  expect(refusalOf("seal", packed)).toBe("Заказ выдают в офисе без пломбы");
});

test("while the parcel is recalled, nothing about it can change and it is not shipped", () => {
  const recalled = inState("assembled", { isRepacking: true, deliveryId: deliveryIds.pickup_point });
  for (const act of ["ship", "refund", "drop_pieces", "change_recipient", "change_point"] as const)
    expect([act, refusalOf(act, recalled)]).toEqual([act, expect.stringMatching(/отзываем/)]);
  expect(refusalOf("cancel", recalled)).toBeNull();
});

test("the point changes where the delivery has one, the address where it has one", () => {
  const toPoint = inState("paid", { deliveryId: deliveryIds.free_pickup_point });
  expect(refusalOf("change_point", toPoint)).toBeNull();
  expect(refusalOf("change_address", toPoint)).toBe("Этот заказ не везут по адресу");
  expect(refusalOf("change_address", inState("paid", { deliveryId: deliveryIds.special }))).toBeNull();
});

test("a parcel that the carrier refused is not handed over, and can be sent again", () => {
  const parcel = { state: "invalid", recall: null } as const;
  expect(refusalOf("ship", inState("assembled", { parcel }))).toBe("Перевозчик отклонил посылку: сначала отправьте её снова");
  expect(refusalOf("ship", inState("shipped", { parcel }))).toBe("Заказ уже в пути");
  expect(refusalOf("ship", inState("assembled", { parcel: { state: "registered", recall: null } }))).toBeNull();
  expect(refusalOf("resend_parcel", inState("assembled", { parcel }))).toBeNull();
  expect(refusalOf("resend_parcel", inState("assembled", { parcel: { ...parcel, recall: "asked" } }))).toMatch(/отзываем/);
  expect(refusalOf("resend_parcel", inState("assembled", { parcel: { state: "registered", recall: null } }))).not.toBeNull();
});

test("a refused parcel whose coins came back, or reached the buyer another way, is not sent again", () => {
  const parcel = { state: "invalid", recall: null } as const;
  const allowed = states.filter((state) => refusalOf("resend_parcel", inState(state, { parcel })) === null);
  expect(allowed).toEqual(["assembled", "shipped", "ready"]);
  expect(refusalOf("resend_parcel", inState("returned", { parcel }))).toBe("Заказ вернулся");
});

test("the last coin is not dropped, and without money left nothing is refunded", () => {
  expect(refusalOf("drop_pieces", inState("paid", { pieces: 1 }))).toBe("Это последняя монета: отмените заказ");
  expect(refusalOf("refund", inState("delivered", { left: kopecks(0) }))).toMatch(/нечего/);
  expect(refusalOf("settle_refund", inState("cancelled", { hasOpenRefund: true }))).toBeNull();
});

test("an order that is paid on collection takes no transfer until it is closed", () => {
  const atDesk = { paymentMethodId: paymentIds.on_collection };
  expect(refusalOf("pay", inState("placed", atDesk))).toBe("Деньги запишутся при выдаче");
  expect(refusalOf("pay", inState("cancelled", atDesk))).toBeNull();
});

test("the personal data of an anonymous order cannot change", () => {
  const old = inState("assembled", { isAnonymous: true });
  expect(refusalOf("change_recipient", old)).toMatch(/стёрты/);
  expect(refusalOf("add_coins", old)).toMatch(/стёрты/);
});
