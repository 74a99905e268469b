import { expect, test } from "vitest";
import { answerTo, chordOf, type KeyPlace } from "./keys.ts";

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

const screen: KeyPlace = { isTyping: false, isOnPressable: false, isInMenu: false, hasDialog: false, isRepeat: false };

test("letters are typed in a field, chords work there, and the field keeps its own undo", () => {
  const typing = { ...screen, isTyping: true };
  expect(answerTo("KeyA", typing)).toBe("leave");
  expect(answerTo("Shift+Slash", typing)).toBe("leave");
  expect(answerTo("Ctrl+Enter", typing)).toBe("run");
  expect(answerTo("Ctrl+KeyZ", typing)).toBe("leave");
  expect(answerTo("Ctrl+KeyZ", screen)).toBe("run");
  expect(answerTo("Escape", typing)).toBe("run");
  expect(answerTo("F2", typing)).toBe("run");
});

test("behind a dialog nothing of the screen runs, and the browser does not act on its chords", () => {
  for (const isTyping of [false, true]) {
    const behind = { ...screen, isTyping, hasDialog: true };
    expect(answerTo("Ctrl+Enter", behind)).toBe("ignore");
    expect(answerTo("Ctrl+KeyK", behind)).toBe("ignore");
    expect(answerTo("Escape", behind)).toBe("leave");
    expect(answerTo("KeyA", behind)).toBe("leave");
  }
});

test("letters in an open menu belong to the menu", () => {
  expect(answerTo("KeyA", { ...screen, isInMenu: true })).toBe("leave");
  expect(answerTo("Escape", { ...screen, isInMenu: true })).toBe("leave");
});

test("a key that is held down walks a list, and does nothing else twice", () => {
  const held = { ...screen, isRepeat: true };
  expect(answerTo("KeyJ", held)).toBe("run");
  expect(answerTo("KeyA", held)).toBe("ignore");
  expect(answerTo("Ctrl+Enter", held)).toBe("ignore");
});
