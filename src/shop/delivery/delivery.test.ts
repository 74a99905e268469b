import { expect, test } from "vitest";
import { statesOf } from "#kit/transitions.ts";
import {
  boxFor,
  cityCodeOf,
  deliveryById,
  kilometresBetween,
  paymentsAllowed,
  searchName,
  acceptsParcel,
  deliveryMethods,
} from "./delivery.ts";
import { shipmentStates } from "./shipment.ts";

test("the delivery methods have the ids of the specification", () => {
  expect(Object.fromEntries(Object.values(deliveryMethods).map(({ id, name }) => [id, name]))).toEqual({
    79: "pickup_point",
    80: "locker",
    76: "free_pickup_point",
    77: "free_locker",
    45: "courier",
    75: "free_courier",
    35: "office",
    43: "special",
  });
  expect(deliveryById(44)).toBeNull();
});

test("card, fast payments and invoice for the carrier; collection at the office only; special contact by invoice", () => {
  for (const id of [76, 77, 79, 80, 45, 75]) expect(paymentsAllowed(id)).toEqual([4, 5, 6]);
  expect(paymentsAllowed(35)).toEqual([4, 5, 6, 7]);
  expect(paymentsAllowed(43)).toEqual([6]);
  expect(paymentsAllowed(1)).toEqual([]);
});

test("couriers and special contact have no points to choose from", () => {
  expect(
    Object.values(deliveryMethods)
      .filter(({ hasPoint }) => hasPoint)
      .map(({ id }) => id),
  ).toEqual([79, 80, 76, 77]);
  expect(
    Object.values(deliveryMethods)
      .filter(({ isCourier }) => isCourier)
      .map(({ id }) => id),
  ).toEqual([45, 75]);
});

test("city codes have the ten digits of the contract", () => {
  expect([cityCodeOf(44), cityCodeOf(137), cityCodeOf(424)]).toEqual(["0000073738", "0000103664", "1000000424"]);
});

test("a city's name is found however it is typed", () => {
  expect(searchName("  Орёл ")).toBe("орел");
  expect(searchName("Нижний   НОВГОРОД")).toBe("нижний новгород");
});

test("a parcel never moves backwards: every state is reachable and final states have no transition", () => {
  const reachable = new Set(["new", ...Object.values(shipmentStates).flatMap((events) => Object.values(events))]);
  expect(new Set(statesOf(shipmentStates))).toEqual(reachable);
  const order = ["new", "accepted", "registered", "in_transit", "at_point"];
  for (const [from, events] of Object.entries(shipmentStates)) {
    for (const to of Object.values(events)) if (order.includes(to)) expect(order.indexOf(to)).toBeGreaterThan(order.indexOf(from));
  }
  expect(
    Object.entries(shipmentStates)
      .filter(([, events]) => Object.keys(events).length === 0)
      .map(([state]) => state),
  ).toEqual(["delivered", "not_delivered"]);
  expect(shipmentStates.invalid).toMatchObject({ retry: "new" });
  expect(shipmentStates.called_off).toEqual({ pack: "new" }); // a recalled parcel may only be packed again
});

test("a point accepts a parcel that is light enough and whose box fits in any turn", () => {
  expect(acceptsParcel({ weightMaxGrams: null, cells: null }, 90_000)).toBe(true);
  expect([
    acceptsParcel({ weightMaxGrams: 5_000, cells: null }, 5_000),
    acceptsParcel({ weightMaxGrams: 5_000, cells: null }, 5_001),
  ]).toEqual([true, false]);
  expect(boxFor(500)).toEqual([20, 15, 5]);
  expect(acceptsParcel({ weightMaxGrams: null, cells: [[5, 20, 15]] }, 500)).toBe(true);
  expect(
    acceptsParcel(
      {
        weightMaxGrams: null,
        cells: [
          [5, 20, 14],
          [4, 40, 40],
        ],
      },
      500,
    ),
  ).toBe(false);
  expect(acceptsParcel({ weightMaxGrams: null, cells: [[38, 21, 61]] }, 10_000)).toBe(true);
  expect(acceptsParcel({ weightMaxGrams: null, cells: [[19, 21, 61]] }, 10_000)).toBe(false);
});

test("Saint Petersburg is about 634 kilometres from Moscow", () => {
  expect(kilometresBetween({ lat: 55.754, lon: 37.62 }, { lat: 59.939, lon: 30.316 })).toBeCloseTo(634, -1);
});
