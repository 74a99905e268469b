import { useEffect, useRef, useSyncExternalStore } from "react";

/**
 * A keyboard shortcut. `code` is the physical key (`KeyJ`, `BracketLeft`), so that the layout does not matter. With `Ctrl+` before it, it
 * also works while a field has the focus, but not behind a dialog.
 */
export type KeyBinding = {
  code: string;
  /** What it does, for the list under «?»: «Ходить по списку». */
  label: string;
  /** How the list writes the key; by default the letter of `code`. */
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

/** The chord of «?», which the list of keys is bound to. It is matched by the character: on a Russian layout it is Shift+7. */
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

/** Shortcuts of text editing, which belong to the field that has the focus. */
const editing = /^Ctrl\+(Shift\+)?Key[ACVXYZ]$/;
/** Keys that repeat while they are held down. Others run once, because a repeat would act on what the first run opened. */
const walking: readonly string[] = ["KeyJ", "KeyK"];

/**
 * Decides about a bound key: `run` the binding; `ignore` it, so that the browser does nothing either (Ctrl S behind a dialog must not save
 * the page); or `leave` it to the field, menu or dialog that has the focus.
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
    // Toasts have the same role, and a closing dialog stays in the document for a moment.
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

/** The present bindings, for the list under «?». */
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
/** The label of a key: `Ctrl S`, `J`. */
export const capOf = ({ code, cap }: Pick<KeyBinding, "code" | "cap">): string =>
  cap ??
  caps[code] ??
  code
    .replace("Ctrl+", "Ctrl ")
    .replace("Shift+", "Shift ")
    .replace(/Key|Digit/, "");
