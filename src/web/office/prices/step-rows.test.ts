import { expect, test } from "vitest";
import { readRows, rowErrors, rowsOf, stepsInWords } from "./step-rows.ts";

const row = (quantity: string, discount: string) => ({ quantity, discount });

test("rows without a discount are left out, and stored steps come back as they were", () => {
  const steps = [
    { quantity: 5, discountBp: 50 },
    { quantity: 20, discountBp: 125 },
  ];
  expect(readRows([row("5", "0,5"), row("10", ""), row("20", "1.25")])).toEqual({ steps, places: [0, 2], errors: {} });
  expect(readRows(rowsOf(steps)).steps).toEqual(steps);
  expect(rowsOf(null).map(({ quantity }) => quantity)).toEqual(["5", "10", "20"]);
});

test("each wrong field is named in its own row", () => {
  expect(readRows([row("", "0,5"), row("10", "много"), row("1", "1")]).errors).toEqual({
    "0.quantity": "От 2 до 999 штук",
    "1.discountBp": "Больше нуля и не больше 50, например 0,5",
    "2.quantity": "От 2 до 999 штук",
  });
  expect(readRows([row("5", "0,5"), row("", ""), row("5", "1")]).errors).toEqual({ "2.quantity": "Больше 5: так начинается ступень выше" });
  expect(readRows([row("5", "0,5"), row("10", "0,5")]).errors).toEqual({ "1.discountBp": "Больше, чем в ступени выше" });
});

test("messages of the server are beside the rows that were sent", () => {
  const fields = { "steps.1.discountBp": "Не больше 50 п. п.", "scope.coinId": "Нет такой" };
  expect(rowErrors(fields, [0, 3])).toEqual({ "3.discountBp": "Не больше 50 п. п." });
});

test("price steps are described in Russian", () => {
  expect(stepsInWords([{ quantity: 5, discountBp: 50 }])).toBe("от 5 шт. −0,5 п. п.");
  expect([stepsInWords(null), stepsInWords([])]).toEqual(["как у металла", "без ступеней"]);
});
