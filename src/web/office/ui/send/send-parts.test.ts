import { expect, test } from "vitest";
import { sendParts } from "./send-parts.ts";

const numbers = Array.from({ length: 120 }, (_, index) => index);

test("120 items are sent in parts of 50, in their order, and each has its row", async () => {
  const parts: number[] = [];
  const sent = await sendParts(numbers, 50, async (part) => {
    parts.push(part.length);
    return { ok: true, value: part.map((item) => `row ${item}`) };
  });
  expect(parts).toEqual([50, 50, 20]);
  expect(sent).toEqual({ rows: numbers.map((item) => `row ${item}`), rest: [], refusal: null });
});

test("a refused part stops the sending: earlier rows are kept, and the rest begins with the refused part", async () => {
  let calls = 0;
  const sent = await sendParts(numbers, 50, async (part) => {
    calls += 1;
    return calls === 2 ? { ok: false, error: { message: "Нет связи" } } : { ok: true, value: part };
  });
  expect(calls).toBe(2);
  expect(sent).toEqual({ rows: numbers.slice(0, 50), rest: numbers.slice(50), refusal: "Нет связи" });
});
