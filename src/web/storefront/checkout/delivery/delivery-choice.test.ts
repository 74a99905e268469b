import { expect, test } from "vitest";
import { deliveryGroupTexts } from "#contract/texts.ru.ts";
import { choose, firstChoice, fit, type OfferedGroup } from "./delivery-choice.ts";

const group = (ids: number[], name = "СДЭК"): OfferedGroup => ({
  name,
  items: ids.map((id) => ({ id })),
});
const free = [group([76, 77, 45], deliveryGroupTexts.free_carrier), group([35]), group([43])];
const paid = [group([79, 80, 45]), group([43])];

test("checkout begins with a parcel locker, paid online", () => {
  expect(firstChoice).toMatchObject({ deliveryId: 80, type: "carrier", isCourier: false, paymentId: 4 });
});

test.each([
  [45, true],
  [75, true],
  [79, false],
  [76, false],
  [35, false],
])("way %i switches the courier flag to %s", (id, isCourier) => {
  expect(choose(firstChoice, id).isCourier).toBe(isCourier);
});

test("the office is pickup, special contact is paid by invoice", () => {
  expect(choose(firstChoice, 35)).toMatchObject({ type: "office", paymentId: 4 });
  expect(choose(firstChoice, 43)).toMatchObject({ type: "special", paymentId: 6 });
});

test("after special contact the payment is online again; an invoice chosen by the buyer stays", () => {
  expect(choose(choose(firstChoice, 43), 45).paymentId).toBe(4);
  expect(choose({ ...firstChoice, paymentId: 6 }, 45).paymentId).toBe(6);
});

test("payment on collection is only possible at the office", () => {
  expect(choose({ ...choose(firstChoice, 35), paymentId: 7 }, 45).paymentId).toBe(4);
});

test("the free locker replaces the paid one, and the reverse", () => {
  const atFree = fit(firstChoice, free);
  expect(atFree).toMatchObject({ deliveryId: 77, isFree: true, isSpecial: false });
  expect(fit(atFree, paid)).toMatchObject({ deliveryId: 80, isFree: false });
});

test("a way that the city does not offer is replaced by the first that it does", () => {
  expect(fit(choose(firstChoice, 35), paid).deliveryId).toBe(79);
  expect(fit(firstChoice, [group([45]), group([43])])).toMatchObject({ deliveryId: 45, isCourier: true });
});

test("special contact in first place is adopted; when it is no longer offered, a pickup point is chosen", () => {
  const special = fit(firstChoice, [group([43])]);
  expect(special).toMatchObject({ deliveryId: 43, isSpecial: true, paymentId: 6 });
  expect(fit(special, free)).toMatchObject({ deliveryId: 76, type: "carrier", isCourier: false, isSpecial: false, paymentId: 4 });
  expect(fit(special, paid)).toMatchObject({ deliveryId: 79, paymentId: 4 });
});

test("a valuable order begins with a staffed point or a courier, and keeps a locker that the buyer chose", () => {
  const isValuable = { isValuable: true };
  expect(fit(firstChoice, free, isValuable).deliveryId).toBe(76);
  expect(fit(fit(firstChoice, free, isValuable), paid, isValuable).deliveryId).toBe(79);
  expect(fit(firstChoice, [group([80, 45])], isValuable)).toMatchObject({ deliveryId: 45, isCourier: true });
  expect(fit(choose(firstChoice, 77), free, isValuable).deliveryId).toBe(77);
  expect(fit(firstChoice, [group([80])], isValuable).deliveryId).toBe(80);
});
