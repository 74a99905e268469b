import { beforeEach, describe, expect, test } from "vitest";
import { deliveryGroupTexts } from "#contract/texts.ru.ts";
import { cityOf } from "#shop/customers/buy-profile.ts";
import { deliveryMethods } from "#shop/delivery/delivery.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { choose, firstChoice, fit, otherKind, type OfferedGroup } from "./delivery/delivery-choice.ts";
import { clearCheckout, writeDraft } from "./draft-store.ts";
import { emptyDraft, moscow, storedDraft, type CheckoutDraft } from "./draft.ts";
import { allMistakes, contactMistakes } from "./confirm/order-errors.ts";
import { cancelNewDelivery, confirmDelivery, reopenDelivery } from "./delivery/new-delivery.ts";
import { withBuyer } from "./contacts/profile.ts";
import { showAfterMs } from "./delivery/points/use-points.ts";

/**
 * Sentences of the specification, sections 3, 4, 5 and 9, about delivery: each is a test of its own. The specification's types of delivery
 * sdek, pickup and specialcontact are carrier, office and special in the code.
 */

const group = (ids: number[], name = "СДЭК"): OfferedGroup => ({
  name,
  items: ids.map((id) => ({ id })),
});
const free = [group([76, 77, 75], deliveryGroupTexts.free_carrier), group([35]), group([43])];
const paid = [group([79, 80, 45]), group([43])];
const onlySpecial = [group([43])];
const kazan: CheckoutView["city"] = {
  code: "1000000424",
  name: "Казань",
  lastName: "Республика Татарстан",
  fullName: "Казань, Республика Татарстан",
  coords: [55.79, 49.12],
};
const point = { id: "MSK101", name: "СДЭК", address: "Тверская ул., 12" };

describe("section 9, delivery ids", () => {
  test("79 pickup point, 80 postamat, 76 and 77 the same for free, 45 courier, 75 free courier, 35 from office, 43 special", () => {
    expect(
      [
        deliveryMethods.pickup_point,
        deliveryMethods.locker,
        deliveryMethods.free_pickup_point,
        deliveryMethods.free_locker,
        deliveryMethods.courier,
        deliveryMethods.free_courier,
        deliveryMethods.office,
        deliveryMethods.special,
      ].map(({ id }) => id),
    ).toEqual([79, 80, 76, 77, 45, 75, 35, 43]);
  });
  test("the default payment id is 4, for special contact 6", () => {
    expect(firstChoice.paymentId).toBe(4);
    expect(choose(firstChoice, 43).paymentId).toBe(6);
  });
});

describe("section 3, selected city", () => {
  test("default Moscow, Russia, code 0000073738, coordinates 55.754047 and 37.620405", () => {
    expect(moscow).toMatchObject({ code: "0000073738", name: "Москва", lastName: "Россия", coords: [55.754047, 37.620405] });
    expect(emptyDraft.city).toBe(moscow);
  });
});

describe("section 4, delivery", () => {
  test("types: sdek (default), pickup, specialcontact", () => {
    expect(firstChoice.type).toBe("carrier");
    expect([79, 35, 43].map((id) => choose(firstChoice, id).type)).toEqual(["carrier", "office", "special"]);
  });
  test("delivery id 35 (from office) gives pickup", () => {
    expect(choose(firstChoice, 35)).toMatchObject({ type: "office", isCourier: false });
  });
  test("ids 45 and 75 (courier, free courier) give sdek with the courier flag on", () => {
    for (const id of [45, 75])
      expect(choose(choose(firstChoice, 35), id)).toMatchObject({ deliveryId: id, type: "carrier", isCourier: true });
  });
  test("id 43 (special contact) gives specialcontact and payment id 6", () => {
    expect(choose(firstChoice, 43)).toMatchObject({ type: "special", paymentId: 6 });
  });
  test("the courier flag is on for 45 and 75, off otherwise", () => {
    const flags = [79, 80, 76, 77, 45, 75, 35, 43].map((id) => choose({ ...firstChoice, isCourier: true }, id).isCourier);
    expect(flags).toEqual([false, false, false, false, true, true, false, false]);
  });
  test("when the special-delivery flag turns off, delivery resets to the (free) pickup point, type sdek, courier off", () => {
    const special = fit(firstChoice, onlySpecial);
    for (const [groups, id] of [
      [free, 76],
      [paid, 79],
    ] as const)
      expect(fit(special, groups)).toMatchObject({ deliveryId: id, type: "carrier", isCourier: false, isSpecial: false });
  });
  test("free delivery is on when the first delivery option group is named as the free-delivery courier service", () => {
    expect([fit(firstChoice, free).isFree, fit(firstChoice, paid).isFree, fit(firstChoice, [...free].reverse()).isFree]).toEqual([
      true,
      false,
      false,
    ]);
  });
  test("special delivery is on when the first group's type is specialcontact, and then it adopts the group's first item", () => {
    for (const before of [firstChoice, choose(firstChoice, 45), choose(firstChoice, 35)]) {
      expect(fit(before, [...onlySpecial, ...free])).toMatchObject({
        isSpecial: true,
        deliveryId: 43,
        type: "special",
        paymentId: 6,
        isCourier: false,
      });
    }
    expect(fit(firstChoice, free).isSpecial).toBe(false);
  });
});

describe("section 5, contacts", () => {
  test("a name without letters is no name", () => {
    const user = {
      ...emptyDraft.user,
      lastName: "😀",
      name: " 12 ",
      secondName: "",
      email: "anna@example.ru",
      phone: "+7 (916) 123-45-67",
    };
    const message = "Напишите буквами, как в паспорте";
    expect(contactMistakes({ ...emptyDraft, user })).toEqual({ lastName: message, name: message });
    expect(contactMistakes({ ...emptyDraft, user: { ...user, lastName: "O’Neil", name: "Ян", secondName: "—" } })).toEqual({
      secondName: message,
    });
  });
});

describe("section 4, clearing checkout info", () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    Object.assign(globalThis, {
      sessionStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, text: string) => kept.set(key, text),
        removeItem: (key: string) => kept.delete(key),
      },
    });
  });
  test("a change of the delivery that an older page has stored goes on with the address that it showed", () => {
    const { address: _, ...older } = { city: kazan, choice: firstChoice, point: null, address: emptyDraft.address };
    writeDraft({ ...emptyDraft, address: { ...emptyDraft.address, street: "Арбат" }, anew: older });
    expect(storedDraft()?.anew?.address.street).toBe("Арбат");
  });
  test("resets user, delivery (to postamat id 80, sdek), pickup points, city (Moscow) and address", () => {
    writeDraft({
      ...emptyDraft,
      user: { ...emptyDraft.user, name: "Анна" },
      choice: choose(firstChoice, 45),
      city: kazan,
      point,
      address: { ...emptyDraft.address, street: "Баумана" },
    });
    expect(storedDraft()).toMatchObject({ city: { name: "Казань" } });
    clearCheckout();
    expect(storedDraft()).toBeNull();
    expect(emptyDraft).toMatchObject({
      user: { name: "", phone: "" },
      choice: { deliveryId: 80, type: "carrier" },
      point: null,
      city: { name: "Москва" },
      address: { street: "" },
    });
  });
});

describe("section 3, the new variants of the delivery choices", () => {
  const chosen: CheckoutDraft = { ...emptyDraft, choice: choose(firstChoice, 79), point, closed: { contacts: true, delivery: true } };
  const changing = reopenDelivery(chosen);
  const changed: CheckoutDraft = {
    ...changing,
    anew: { city: kazan, choice: fit(choose(choose(firstChoice, 79), 45), free), point: null, address: emptyDraft.address },
  };

  test("a new choice has no effect before it is confirmed, and no order can be placed until then", () => {
    expect(changed).toMatchObject({ city: moscow, choice: { deliveryId: 79 }, point });
    expect(allMistakes(changed).delivery).toBeDefined();
    expect(allMistakes(confirmDelivery(changed)).delivery).toBeUndefined();
  });
  test("cancelling it keeps the old choice", () => {
    expect(cancelNewDelivery(changed)).toEqual(chosen);
  });
  test("confirming it replaces the old choice with its flags; the payment chosen meanwhile stays if it is allowed", () => {
    expect(confirmDelivery({ ...changed, choice: { ...changed.choice, paymentId: 5 } })).toMatchObject({
      city: kazan,
      point: null,
      anew: null,
      choice: { deliveryId: 75, isCourier: true, isFree: true, paymentId: 5 },
      closed: { delivery: true },
    });
  });
  test("it survives a reload like all other entries", () => {
    expect(JSON.parse(JSON.stringify(changed))).toEqual(changed);
  });
});

describe("sections 3 and 5, the profile", () => {
  const buyer = (change: Partial<NonNullable<CheckoutView["buyer"]>>): NonNullable<CheckoutView["buyer"]> => ({
    id: "a",
    user: emptyDraft.user,
    city: null,
    deliveryId: null,
    point: null,
    address: emptyDraft.address,
    isSubscribed: false,
    ...change,
  });
  test("usercomment and select_dlv_service are filled in at the next checkout", () => {
    const draft = withBuyer(emptyDraft, {
      buyer: buyer({ city: moscow, deliveryId: 75, address: { ...emptyDraft.address, message: "звонить дважды" } }),
      groups: [],
    });
    expect(draft).toMatchObject({ choice: { deliveryId: 75, isCourier: true }, address: { message: "звонить дважды" } });
  });
  test("the saved point is filled in with its city", () => {
    const draft = withBuyer(emptyDraft, { buyer: buyer({ city: kazan, deliveryId: 76, point }), groups: [] });
    expect(draft).toMatchObject({ city: kazan, point, choice: { deliveryId: 76 } });
  });
  test("a profile city name is applied only when longer than 2 characters", () => {
    const named = (name: string) => cityOf({ city: { code: kazan.code, name } })?.name ?? null;
    expect([named("Уфа"), named("Ош"), named("  Я "), named("")]).toEqual(["Уфа", null, null, null]);
  });
});

test("section 7: pickup-point lists are shown after a 500 ms delay", () => {
  expect(showAfterMs).toBe(500);
});

test("the list of staffed points offers the lockers of the city instead, and the reverse", () => {
  expect([
    otherKind(76, [76, 77, 45]),
    otherKind(77, [76, 77, 45]),
    otherKind(79, [79, 45]),
    otherKind(45, [76, 77, 45]),
    otherKind(35, [76, 77, 35]),
  ]).toEqual([77, 76, null, null, null]);
});
