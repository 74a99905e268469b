import { expect, test } from "vitest";
import type { CheckoutView } from "../checkout-view.ts";
import { firstChoice } from "../delivery/delivery-choice.ts";
import { chooseCity } from "../delivery/new-delivery.ts";
import { emptyDraft, emptyAddress } from "../draft.ts";
import { withBuyer } from "./profile.ts";

const kazan: CheckoutView["city"] = {
  code: "1000000424",
  name: "Казань",
  lastName: "Республика Татарстан",
  fullName: "Казань, Республика Татарстан",
  coords: [55.79, 49.12],
};
const anna: NonNullable<CheckoutView["buyer"]> = {
  id: "a",
  user: { name: "Анна", lastName: "Воронцова", secondName: "", email: "anna@example.ru", phone: "+7 (916) 000-00-11" },
  city: kazan,
  deliveryId: 45,
  point: null,
  address: { ...emptyAddress, street: "Баумана", house: "7" },
  isSubscribed: false,
};
const groups: CheckoutView["groups"] = [];

test("the form of a known buyer is filled in: contacts, city, the way of the last order, the address", () => {
  const draft = withBuyer(emptyDraft, { buyer: anna, groups });
  expect(draft.user).toEqual(anna.user);
  expect(draft.city).toEqual(kazan);
  expect(draft.choice).toMatchObject({ deliveryId: 45, isCourier: true });
  expect(draft.address.street).toBe("Баумана");
  expect(draft.closed.contacts).toBe(true);
});

test("signing in keeps what was typed and fills only the gaps", () => {
  const typed = {
    ...emptyDraft,
    user: { ...emptyDraft.user, name: "Анюта", phone: "+7 (999) 111-22-33" },
    choice: { ...firstChoice, deliveryId: 35, type: "office" as const },
  };
  const draft = withBuyer(typed, { buyer: anna, groups });
  expect(draft.user).toMatchObject({ name: "Анюта", lastName: "", phone: "+7 (999) 111-22-33", email: anna.user.email });
  expect(draft.choice.deliveryId).toBe(35);
  expect(draft.city).toEqual(emptyDraft.city);
  expect(draft.closed.contacts).toBe(false);
});

test("a partly typed name is completed only if it matches the account's", () => {
  const begun = { ...emptyDraft, user: { ...emptyDraft.user, lastName: anna.user.lastName } };
  expect(withBuyer(begun, { buyer: anna, groups }).user).toMatchObject({ lastName: anna.user.lastName, name: anna.user.name });
});

test("a visitor's draft stays as it is", () => {
  expect(withBuyer(emptyDraft, { buyer: null, groups })).toBe(emptyDraft);
});

test("the address of the profile is not filled in for another city; choosing its city shows it", () => {
  const petersburg = { ...kazan, code: "0000103664", name: "Санкт-Петербург" };
  const draft = withBuyer({ ...emptyDraft, city: petersburg }, { buyer: anna, groups });
  expect(draft.city).toEqual(petersburg);
  expect(draft.address).toEqual(emptyAddress);
  expect(chooseCity(draft, kazan).address).toMatchObject({ street: "Баумана", house: "7" });
});
