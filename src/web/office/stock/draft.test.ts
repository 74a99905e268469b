import { expect, test } from "vitest";
import { draftDifferences, linesOf } from "./draft.ts";
import type { StockDocumentView } from "./words.ts";

const coin = (id: number) => ({ id, title: `Монета ${id}`, code: `5111-${id}`, metal: "silver" as const });
const stored: StockDocumentView = {
  id: 7,
  kind: "receipt",
  state: "draft",
  supplier: "Гознак",
  number: "15",
  date: "2026-11-20",
  note: "",
  lineCount: 2,
  pieces: 7,
  cost: 700,
  stocktakeId: null,
  revision: 3,
  createdAt: "2026-11-20T10:00:00+03:00",
  createdBy: "pavlova",
  postedAt: null,
  postedBy: null,
  reversedAt: null,
  reversedBy: null,
  reversalReason: null,
  lines: [
    { coin: coin(1), quantity: 5, unitCost: 100 },
    { coin: coin(2), quantity: 2, unitCost: 100 },
  ],
};

test("of two versions of a draft each field and each coin that differs is shown", () => {
  const mine = { ...stored, lines: linesOf(stored) };
  expect(draftDifferences(mine, stored)).toEqual([]);
  const [first] = mine.lines;
  if (!first) throw new Error("the document has no lines");
  const changed = {
    ...mine,
    number: "15/2",
    lines: [
      { ...first, quantity: "6", cost: "" },
      { ...first, coin: coin(3) },
    ],
  };
  expect(draftDifferences(changed, stored)).toEqual([
    { label: "Номер накладной", yours: "15/2", current: "15" },
    { label: "Монета 1 5111-1", yours: "6 шт.", current: "5 шт. по 100 ₽" },
    { label: "Монета 2 5111-2", yours: "нет", current: "2 шт. по 100 ₽" },
    { label: "Монета 3 5111-3", yours: "5 шт. по 100 ₽", current: "нет" },
  ]);
});
