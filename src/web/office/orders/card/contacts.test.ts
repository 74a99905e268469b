import { expect, test } from "vitest";
import { addressLabels, addressText, differing, noAddress, personLabels } from "./contacts.ts";

const anna = { lastName: "Воронцова", name: "Анна", secondName: "", phone: "+79161234567", email: "anna@example.ru" };
const home = { ...noAddress, street: "Тверская", house: "7", room: "12" };

test("a conflict lists each field that differs, with both versions in full", () => {
  const colleague = { ...anna, secondName: "Игоревна", email: "voroncova@example.ru" };
  expect(differing(personLabels, { ...anna, phone: "+79161112233" }, colleague)).toEqual([
    { label: "Отчество", yours: "пусто", current: "Игоревна" },
    { label: "Телефон", yours: "+79161112233", current: "+79161234567" },
    { label: "Почта", yours: "anna@example.ru", current: "voroncova@example.ru" },
  ]);
  expect(differing(addressLabels, home, { ...home, room: "21", floor: "3", message: "Домофон 21" })).toEqual([
    { label: "Квартира", yours: "12", current: "21" },
    { label: "Этаж", yours: "пусто", current: "3" },
    { label: "Комментарий курьеру", yours: "пусто", current: "Домофон 21" },
  ]);
});

test("fields that are equal but for spaces around them are not a conflict", () => {
  expect(differing(personLabels, { ...anna, name: " Анна " }, anna)).toEqual([]);
});

test("an address is one line of the parts that it has", () => {
  expect(addressText({ ...home, city: "Москва", message: "звонить" })).toBe("Москва, Тверская, д. 7, кв. 12");
  expect(addressText({ ...home, city: "", room: "", entrance: "2", floor: "5" })).toBe("Тверская, д. 7, подъезд 2, этаж 5");
});
