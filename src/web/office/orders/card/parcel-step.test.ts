import { expect, test } from "vitest";
import { lastStep } from "./parcel-step.ts";

const at = "2026-11-29T12:00:00+03:00";

test("the newest step is shown with what it has, and one that says nothing is passed over", () => {
  expect(lastStep([{ name: "Принят", city: "Москва", at }])?.text).toBe("Принят, Москва");
  expect(lastStep([{ name: "Создан", city: "", at }])?.text).toBe("Создан");
  expect(
    lastStep([
      { name: "Принят", city: "Москва", at: "1" },
      { name: "", city: "", at },
    ]),
  ).toEqual({ at: "1", text: "Принят, Москва" });
  expect(lastStep([{ name: "", city: "", at }])).toBeNull();
});
