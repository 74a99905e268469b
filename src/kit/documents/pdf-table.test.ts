import { expect, test } from "vitest";
import { openSheet } from "./pdf-sheet.ts";
import { pdfTable } from "./pdf-table.ts";

const sheet = () => openSheet({ title: "Опись", author: "ООО «Чекан»", madeAt: new Date("2026-11-20T09:00:00Z") }).pdf;

test("a table ends at the margin of the page: printers cut off what stands beyond it", () => {
  const columns = (last: number) => [
    { head: "Монета", width: 100 },
    { head: "Сумма", width: last, isRight: true },
  ];
  expect(() => pdfTable(sheet(), columns(70), [["Соболь", "7 750"]])).not.toThrow();
  expect(() => pdfTable(sheet(), columns(71), [["Соболь", "7 750"]])).toThrow("the columns need 171 mm of 170");
});
