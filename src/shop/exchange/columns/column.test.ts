import { expect, test } from "vitest";
import { parseCell, type TableColumn } from "./column.ts";

const price: TableColumn = {
  key: "price",
  head: "Цена, ₽",
  role: "value",
  type: { kind: "number", scale: 100, min: -1_000, max: 1_000_000 },
};
const read = (cell: string) => {
  const parsed = parseCell(price, cell);
  return parsed.ok ? parsed.value : null;
};

test.each([
  ["1 234,50", 123_450],
  ["1\u00A0234.5", 123_450],
  ["1\u202F234", 123_400],
  ["12 500 руб.", 1_250_000],
  ["12,5 ₽", 1_250],
  ["−5%", -500],
  ["31.100000000000001", 3_110],
])("«%s» is the number that a person means", (cell, value) => expect(read(cell)).toBe(value));

test.each(["10о", "1O", "5 коп", "5abc", "1 2", "12 34", "1.234,56", "1/2", "5-", "=5", "0x10", "999999999999"])(
  "«%s» is refused, not taken for another number",
  (cell) => expect(read(cell)).toBeNull(),
);
