import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskedPhone } from "./phone.ts";
import { editPhone, leftPhone, type PhoneState } from "./phone-mask.ts";

/** A field as a browser has it: `from` and `to` are the selection. */
type Box = { text: string; from: number; to: number };

const at = ({ text, caret }: PhoneState): Box => ({ text, from: caret, to: caret });

/** Replaces a part of the text as a browser does, and applies the mask. */
function change(box: Box, [start, end]: [number, number], inserted: string, type: string): Box {
  return at(
    editPhone({
      before: box.text,
      selection: { start: box.from, end: box.to },
      after: box.text.slice(0, start) + inserted + box.text.slice(end),
      caret: start + inserted.length,
      type,
    }),
  );
}

const insert = (box: Box, text: string, type = "insertText"): Box => change(box, [box.from, box.to], text, type);
const paste = (box: Box, text: string): Box => insert(box, text, "insertFromPaste");
const typed = (box: Box, text: string): Box => text.split("").reduce((current, character) => insert(current, character), box);
function backspace(box: Box): Box {
  if (box.from !== box.to) return change(box, [box.from, box.to], "", "deleteContentBackward");
  return box.from === 0 ? box : change(box, [box.from - 1, box.from], "", "deleteContentBackward");
}
function deleteForward(box: Box): Box {
  if (box.from !== box.to) return change(box, [box.from, box.to], "", "deleteContentForward");
  return box.from === box.text.length ? box : change(box, [box.from, box.from + 1], "", "deleteContentForward");
}
const empty: Box = { text: "", from: 0, to: 0 };
const caretAt = (text: string, from: number, to = from): Box => ({ text, from, to });

const digits = (length: number | { min: number; max: number }) =>
  fc.string({
    unit: fc.constantFrom(..."0123456789".split("")),
    ...(typeof length === "number" ? { minLength: length, maxLength: length } : { minLength: length.min, maxLength: length.max }),
  });
const aNumber = digits(10);
const aPlace = fc.nat({ max: 18 });
/** How many digits of the number are before a place in its masked text. */
const digitsBefore = (place: number): number => maskedPhone("9".repeat(10)).slice(4, Math.max(4, place)).replace(/\D/g, "").length;

describe("for every valid number", () => {
  test("a digit inserted anywhere is inserted among its ten digits, and the caret is behind it", () => {
    fc.assert(
      fc.property(aNumber, aPlace, digits(1), (number, place, digit) => {
        const index = digitsBefore(place);
        const expected = (number.slice(0, index) + digit + number.slice(index)).slice(0, 10);
        const result = insert(caretAt(maskedPhone(number), place), digit);
        expect(result).toEqual(caretAt(maskedPhone(expected), maskedPhone(expected.slice(0, Math.min(index + 1, 10))).length));
      }),
      { numRuns: 2_000 },
    );
  });

  test("backspace deletes the digit before the caret and delete the one after it, whatever sign is between", () => {
    fc.assert(
      fc.property(aNumber, aPlace, fc.boolean(), (number, place, isForward) => {
        const index = digitsBefore(place);
        const first = isForward ? index : index - 1;
        const expected = first < 0 ? number : number.slice(0, first) + number.slice(first + 1);
        const box = caretAt(maskedPhone(number), place);
        const result = isForward ? deleteForward(box) : backspace(box);
        const caret = maskedPhone(expected.slice(0, Math.max(0, Math.min(first, index)))).length;
        expect(result).toEqual(caretAt(maskedPhone(expected), place === 0 && !isForward ? 0 : caret));
      }),
      { numRuns: 2_000 },
    );
  });

  test("a selection is deleted or replaced as its digits are", () => {
    fc.assert(
      fc.property(aNumber, aPlace, aPlace, digits({ min: 0, max: 6 }), fc.boolean(), (number, one, other, added, isPasted) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        fc.pre(start < end && !(start === 0 && end === 18));
        const [from, to] = [digitsBefore(start), digitsBefore(end)];
        const expected = (number.slice(0, from) + added + number.slice(to)).slice(0, 10);
        const box = caretAt(maskedPhone(number), start, end);
        const result = added === "" ? backspace(box) : isPasted ? paste(box, added) : typed(box, added);
        expect(result).toEqual(caretAt(maskedPhone(expected), maskedPhone(expected.slice(0, Math.min(from + added.length, 10))).length));
      }),
      { numRuns: 2_000 },
    );
  });

  test("any series of edits equals the same series on its digits", () => {
    const anEdit = fc.oneof(
      fc.record({ kind: fc.constant("insert" as const), place: aPlace, text: digits({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constantFrom("backspace" as const, "delete" as const), place: aPlace, text: fc.constant("") }),
    );
    fc.assert(
      fc.property(aNumber, fc.array(anEdit, { maxLength: 12 }), (number, edits) => {
        let box = caretAt(maskedPhone(number), 18);
        let model = number;
        for (const { kind, place, text } of edits) {
          const caret = Math.min(Math.max(place, 4), box.text.length);
          const index = Math.min(digitsBefore(caret), model.length);
          box = { ...box, from: caret, to: caret };
          if (kind === "insert") {
            box = paste(box, text);
            model = (model.slice(0, index) + text + model.slice(index)).slice(0, 10);
          } else if (kind === "delete") {
            box = deleteForward(box);
            model = model.slice(0, index) + model.slice(index + 1);
          } else if (index > 0) {
            box = backspace(box);
            model = model.slice(0, index - 1) + model.slice(index);
          }
          expect(box.text).toBe(maskedPhone(model));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("every spelling of it can be typed and pasted into an empty field, and pasted over another number", () => {
    const spellings = (number: string): string[] => {
      const parts = [number.slice(0, 3), number.slice(3, 6), number.slice(6, 8), number.slice(8)];
      return [
        `8${number}`,
        `7${number}`,
        `+7${number}`,
        `+7 (${parts[0]}) ${parts.slice(1).join("-")}`,
        `8 (${parts[0]}) ${parts.slice(1).join(" ")}`,
        `+7 ${parts.join(" ")}`,
      ];
    };
    fc.assert(
      fc.property(aNumber, aNumber, aPlace, (number, other, place) => {
        for (const spelling of spellings(number)) {
          expect(typed(empty, spelling).text, `typed ${spelling}`).toBe(maskedPhone(number));
          expect(paste(empty, spelling).text, `pasted ${spelling}`).toBe(maskedPhone(number));
          expect(paste(caretAt(maskedPhone(other), place), spelling).text, `pasted at ${place}`).toBe(maskedPhone(number));
          expect(paste(caretAt(maskedPhone(other), 0, 18), spelling).text, `pasted over ${other}`).toBe(maskedPhone(number));
          expect(typed(caretAt(maskedPhone(other), 0, 18), spelling).text, `typed over ${other}`).toBe(maskedPhone(number));
        }
        expect(paste(empty, number).text).toBe(maskedPhone(number));
      }),
      { numRuns: 300 },
    );
  });

  test("filled in by the browser it replaces what was there, with no word of where the caret was", () => {
    fc.assert(
      fc.property(aNumber, fc.option(aNumber, { nil: null }), (number, other) => {
        for (const after of [`8${number}`, `+7${number}`, number, maskedPhone(number)]) {
          const before = other === null ? "" : maskedPhone(other);
          for (const type of ["", "insertReplacementText"]) {
            expect(editPhone({ before, selection: null, after, caret: after.length, type }).text, `${before} → ${after}`).toBe(
              maskedPhone(number),
            );
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("a digit corrected in the middle stays where it was typed", () => {
  const corrected = insert(backspace(caretAt("+7 (916) 101-74-71", 6)), "2");
  expect(corrected).toEqual(caretAt("+7 (926) 101-74-71", 6));
});

test.each([
  ["88123456789", "+7 (812) 345-67-89"],
  ["+7 812 123 45 67", "+7 (812) 123-45-67"],
  ["+7 (812) 123-45-67", "+7 (812) 123-45-67"],
  ["8 800 555 35 35", "+7 (800) 555-35-35"],
  ["7 (707) 123-45-67", "+7 (707) 123-45-67"],
  ["+77071234567", "+7 (707) 123-45-67"],
  ["9161234567", "+7 (916) 123-45-67"],
])("«%s», typed key by key or pasted, is %s", (spelling, masked) => {
  expect(typed(empty, spelling).text).toBe(masked);
  expect(paste(empty, spelling).text).toBe(masked);
});

test.each([
  ["+", "+"],
  ["+7", "+7 ("],
  ["8", "+7 ("],
  ["7", "+7 ("],
  ["88", "+7 (8"],
  ["9", "+7 (9"],
  ["+9", "+7 (9"],
  ["abc", ""],
  ["916)", "+7 (916"],
  ["91612345678", "+7 (916) 123-45-67"],
])("typing «%s» shows «%s»", (keys, shown) => {
  expect(typed(empty, keys).text).toBe(shown);
});

test("deleting goes on through the prefix to an empty field, and a prefix left alone is an empty field", () => {
  let box = typed(empty, "916");
  for (const shown of ["+7 (91", "+7 (9", "+7 (", ""]) {
    box = backspace(box);
    expect(box.text).toBe(shown);
  }
  expect(backspace(caretAt("+7 (916) 123-45-67", 0, 18)).text).toBe("");
  expect(["+7 (", "+", "", "+7 (9"].map(leftPhone)).toEqual(["", "", "", "+7 (9"]);
});

test("a letter or a sign changes nothing, and the caret stays at its digit", () => {
  expect(insert(caretAt("+7 (916) 101-74-71", 6), "x")).toEqual(caretAt("+7 (916) 101-74-71", 6));
  expect(insert(caretAt("+7 (916) 101-74-71", 18), "8")).toEqual(caretAt("+7 (916) 101-74-71", 18));
});

test("a pasted or autofilled number of another country is refused and not cut to a Russian one", () => {
  const mask = (before: string, inserted: string) =>
    editPhone({ before, selection: { start: 0, end: before.length }, after: inserted, caret: inserted.length, type: "insertFromPaste" });
  for (const foreign of ["+38 050 123 45 67", " +375 (29) 123-45-67", "+44 20 7946 0958", "\uFF0B380501234567"]) {
    expect(mask("", foreign), foreign).toEqual({ text: "", caret: 0, isForeign: true });
    expect(mask("+7 (916) 123-45-67", foreign), foreign).toEqual({ text: "+7 (916) 123-45-67", caret: 18, isForeign: true });
  }
  expect(editPhone({ before: "", selection: null, after: "+380501234567", caret: 13, type: "" })).toMatchObject({
    text: "",
    isForeign: true,
  });
  expect(paste(at({ text: "+", caret: 1 }), "380501234567").text).toBe("+");
  for (const russian of ["+7 916 123-45-67", "8 916 123-45-67", "+8 916 123-45-67", "9161234567"])
    expect(mask("", russian), russian).toEqual({ text: "+7 (916) 123-45-67", caret: 18 });
});
