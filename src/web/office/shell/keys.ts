import { useEffect, useRef, useSyncExternalStore } from "react";

/**
 * One key of the keyboard map. `code` is the physical key (`KeyJ`, `BracketLeft`), so that the layout does not matter;
 * `Ctrl+` stands before it for a chord, which also works while a field has focus, but not behind a dialog.
 */
export type KeyBinding = {
  code: string;
  /** What it does, for the list under «?»: «Ходить по списку». */
  label: string;
  /** What the list shows for it; the code's letter unless given. */
  cap?: string;
  run: () => void;
};

let bound: readonly { current: readonly KeyBinding[] }[] = [];
let version = 0;
const listeners = new Set<() => void>();
const changed = (): void => {
  version += 1;
  for (const each of listeners) each();
};

const textFields =
  "input:not([type='checkbox'], [type='radio'], [type='button']), textarea, select, [contenteditable='true'], [role='combobox']";
const pressable = "a[href], button, summary, [role='menuitem'], [role='option']";

/** The list of keys opens by its sign, too: on a Russian layout «?» is Shift+7. */
const questionMark = "Shift+Slash";

/** The chord as bindings write it. On a Mac the command key counts as Ctrl. */
export const chordOf = (event: Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">): string =>
  event.key === "?" && !event.ctrlKey && !event.metaKey
    ? questionMark
    : `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey ? "Shift+" : ""}${event.altKey ? "Alt+" : ""}${event.code}`;

/** Where the focus was when a key was pressed. */
export type KeyPlace = {
  isTyping: boolean;
  isOnPressable: boolean;
  /** In an open menu or list of options, where letters go to the option that begins with them. */
  isInMenu: boolean;
  /** A dialog is over the screen. */
  hasDialog: boolean;
  /** The key is held down. */
  isRepeat: boolean;
};

/** Keys of editing: a field has its own undo. */
const editing = /^Ctrl\+(Shift\+)?Key[ACVXYZ]$/;
/** Keys that may be held down. Any other would act once more on what the first press brought up. */
const walking: readonly string[] = ["KeyJ", "KeyK"];

/**
 * What becomes of a key that the screen has bound: `run`; `ignore`, so that neither the screen nor the browser acts (Ctrl S of the screen
 * behind a dialog must not save the page); `leave` it to the field, menu or dialog that has the focus.
 */
export function answerTo(chord: string, place: KeyPlace): "run" | "ignore" | "leave" {
  const isChord = chord.startsWith("Ctrl+");
  if (place.isTyping && (isChord ? editing.test(chord) : !/^(F\d+|Escape)$/.test(chord))) return "leave";
  if (!isChord && (place.hasDialog || place.isInMenu)) return "leave";
  if ((chord === "Enter" || chord === "Space") && place.isOnPressable) return "leave";
  return place.hasDialog || (place.isRepeat && !walking.includes(chord)) ? "ignore" : "run";
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || !(event.target instanceof Element)) return;
  const chord = chordOf(event);
  // The screen that was opened last comes first.
  const binding = bound.toReversed().flatMap(({ current }) => current.filter(({ code }) => code === chord))[0];
  if (!binding) return;
  const answer = answerTo(chord, {
    isTyping: event.target.closest(textFields) !== null,
    isOnPressable: event.target.closest(pressable) !== null,
    isInMenu: event.target.closest("[role='menu'], [role='listbox']") !== null,
    // Messages in the corner have the same role, and a dialog that closes is there a moment longer.
    hasDialog: document.querySelector(":is([role='dialog'], [role='alertdialog']):not(.toast, [data-closed])") !== null,
    isRepeat: event.repeat,
  });
  if (answer === "leave") return;
  event.preventDefault();
  if (answer === "run") binding.run();
}

/** Listens to the keyboard for the whole app; called once by the frame. */
export function useKeyboard(): void {
  useEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Binds keys while the component is mounted and `isActive`. */
export function useKeys(bindings: readonly KeyBinding[], isActive = true): void {
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  useEffect(() => {
    if (!isActive) return;
    bound = [...bound, latest];
    changed();
    return () => {
      bound = bound.filter((each) => each !== latest);
      changed();
    };
  }, [isActive]);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is bound now, for the list under «?». */
export function useBoundKeys(): KeyBinding[] {
  useSyncExternalStore(subscribe, () => version);
  const all = bound.flatMap(({ current }) => current);
  return all.filter((binding, index) => all.findLastIndex(({ code }) => code === binding.code) === index);
}

const caps: Readonly<Record<string, string>> = {
  BracketLeft: "[",
  [questionMark]: "?",
  Escape: "Esc",
  Enter: "Enter",
  "Ctrl+Enter": "Ctrl Enter",
};
/** How a key is written on its cap. */
export const capOf = ({ code, cap }: Pick<KeyBinding, "code" | "cap">): string =>
  cap ??
  caps[code] ??
  code
    .replace("Ctrl+", "Ctrl ")
    .replace("Shift+", "Shift ")
    .replace(/Key|Digit/, "");
