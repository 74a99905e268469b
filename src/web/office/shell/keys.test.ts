import { expect, test } from "vitest";
import { chordOf } from "./keys.ts";

const pressed = (keys: Partial<Parameters<typeof chordOf>[0]>) =>
  chordOf({ key: "", code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...keys });

test("a key is its place on the keyboard, whatever the layout", () => {
  expect(pressed({ key: "т", code: "KeyN" })).toBe("KeyN");
  expect(pressed({ key: "л", code: "KeyK", metaKey: true })).toBe("Ctrl+KeyK");
});

test("«?» opens the list of keys wherever the layout has it", () => {
  expect(pressed({ key: "?", code: "Slash", shiftKey: true })).toBe("Shift+Slash");
  expect(pressed({ key: "?", code: "Digit7", shiftKey: true })).toBe("Shift+Slash"); // Russian
  expect(pressed({ key: ",", code: "Slash", shiftKey: true })).toBe("Shift+Slash");
  expect(pressed({ key: "?", code: "Slash", ctrlKey: true })).toBe("Ctrl+Slash");
});
