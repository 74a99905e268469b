import * as fc from "fast-check";
import { expect, test } from "vitest";
import { differences, lineDiff } from "./diff.ts";

test("a comparison names the fields that differ, and long texts line by line", () => {
  const before = { title: "Было", tags: ["a"], body: "один\nдва\nтри", same: 1 };
  const after = { title: "Стало", tags: ["a", "b"], body: "один\nтри\nчетыре", same: 1 };
  expect(differences(before, after)).toEqual([
    { path: "title", before: "Было", after: "Стало", lines: null },
    {
      path: "body",
      before: before.body,
      after: after.body,
      lines: [
        { kind: "same", text: "один" },
        { kind: "gone", text: "два" },
        { kind: "same", text: "три" },
        { kind: "new", text: "четыре" },
      ],
    },
    { path: "tags.1", before: "", after: "b", lines: null },
  ]);
});

test("the lines of a comparison make both texts again", () => {
  const text = fc.array(fc.constantFrom("а", "б", "в", ""), { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join("\n");
      expect(without("new")).toBe(before);
      expect(without("gone")).toBe(after);
    }),
  );
});
