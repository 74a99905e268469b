import { expect, test } from "vitest";
import { parcelView, stepText } from "./parcel-view.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));

test("the statuses of a parcel are shown in Russian with their cities, newest first", () => {
  const view = parcelView({
    trackingNumber: "10000000000",
    isBehind: false,
    heardAt: at(12),
    state: "at_point",
    steps: [
      { code: "ACCEPTED", name: "", city: "", at: at(8) },
      { code: "CREATED", name: "", city: "", at: at(8) },
      { code: "SEND_TO_RECIPIENT_OFFICE", name: "", city: "Москва", at: at(9) },
      { code: "ACCEPTED_AT_PICK_UP_POINT", name: "", city: "Казань", at: at(11) },
    ],
  });
  expect(view.steps.map(({ text, city }) => `${text}, ${city}`)).toEqual([
    "Ждёт вас в пункте выдачи, Казань",
    "Едет в ваш город, Москва",
    "СДЭК принял заявку, ",
  ]);
});

test("an unknown status code is shown in the carrier's words, or as «В пути»", () => {
  expect(stepText({ code: "NEW_WORD", name: "Встречен в г. транзите" })).toBe("Встречен в г. транзите");
  expect(stepText({ code: "NEW_WORD", name: "NEW_WORD" })).toBe("В пути");
});

test("for a parcel that the carrier refused the page says that the shop will call", () => {
  expect(
    parcelView({
      trackingNumber: null,
      isBehind: false,
      heardAt: null,
      state: "invalid",
      steps: [{ code: "INVALID", name: "", city: "", at: at(8) }],
    }),
  ).toMatchObject({ note: expect.stringContaining("позвоним"), steps: [] });
});
