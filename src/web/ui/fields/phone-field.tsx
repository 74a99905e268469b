import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { editPhone, leftPhone, type PhoneState } from "./phone-mask.ts";

type PhoneFieldProps = Omit<FieldProps, "ref" | "type" | "value" | "onChange" | "onInput" | "onKeyDown"> & {
  value: string;
  onValue: (masked: string) => void;
};
const foreignNumber = "Нужен российский номер: +7 и десять цифр";
type Before = { text: string; selection: { start: number; end: number } };

/**
 * A Russian phone number with the mask `+7 (###) ###-##-##`; accepts any pasted spelling, and says that a foreign number is none. The
 * browser makes each change first and `editPhone` repeats it on the ten digits, so typing, pasting, autofill and touch keyboards without
 * key events are handled the same way.
 */
export function PhoneField({ value, onValue, onBlur, error, isErrorAnnounced = false, ...field }: PhoneFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  /** The field before the current change; an input method may fire several events for one change. */
  const before = useRef<Before | null>(null);
  /** Left as it is while an input method composes: changing the text would end the composition. */
  const [composed, setComposed] = useState<string | null>(null);
  const history = useRef(new History());
  const [isForeign, setForeign] = useState(false);

  useEffect(() => {
    const element = input.current;
    if (!element) return undefined;
    const remember = (event: InputEvent): void => {
      if (event.inputType.startsWith("history")) return event.preventDefault(); // the browser's undo would bypass the mask
      if (event.isComposing && before.current) return;
      before.current = { text: element.value, selection: { start: element.selectionStart ?? 0, end: element.selectionEnd ?? 0 } };
    };
    element.addEventListener("beforeinput", remember);
    return () => element.removeEventListener("beforeinput", remember);
  }, []);

  function show(element: HTMLInputElement, { text, caret }: PhoneState): void {
    if (element.value !== text) element.value = text;
    element.setSelectionRange(caret, caret);
    onValue(text);
  }

  function change(element: HTMLInputElement, { type, isComposing }: { type: string; isComposing: boolean }): void {
    const { text, selection } = before.current ?? { text: value, selection: null };
    const caret = element.selectionEnd ?? element.value.length;
    const next = editPhone({ before: text, selection, after: element.value, caret, type });
    if (isComposing) {
      setComposed(element.value);
      return onValue(next.text);
    }
    before.current = null;
    setComposed(null);
    setForeign(next.isForeign === true);
    history.current.add({ text, caret: selection?.end ?? text.length }, next);
    show(element, next);
  }

  function undo(event: KeyboardEvent<HTMLInputElement>): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isRedo = event.code === "KeyY" || (event.code === "KeyZ" && event.shiftKey);
    if (!isRedo && event.code !== "KeyZ") return;
    event.preventDefault();
    const state = isRedo ? history.current.redo(value) : history.current.undo(value);
    if (state) show(event.currentTarget, state);
  }

  return (
    <Field
      autoComplete="tel"
      placeholder="+7 (___) ___-__-__"
      {...field}
      error={isForeign ? foreignNumber : error}
      isErrorAnnounced={isForeign || isErrorAnnounced}
      ref={input}
      type="tel"
      inputMode="tel"
      value={composed ?? value}
      onChange={() => undefined}
      onKeyDown={undo}
      onInput={({ currentTarget, nativeEvent }) => {
        const { inputType: type = "", isComposing = false } = nativeEvent as Partial<InputEvent>;
        change(currentTarget, { type, isComposing });
      }}
      onCompositionEnd={({ currentTarget }) => {
        if (before.current) change(currentTarget, { type: "insertCompositionText", isComposing: false });
      }}
      onBlur={(event) => {
        const left = leftPhone(value);
        if (left !== value) onValue(left);
        onBlur?.(event);
      }}
    />
  );
}

/** The states of one field, for undo and redo. A value set from outside starts a new history. */
class History {
  #states: PhoneState[] = [];
  #at = 0;

  add(from: PhoneState, to: PhoneState): void {
    if (from.text === to.text) return;
    if (this.#states[this.#at]?.text === from.text) this.#states = [...this.#states.slice(0, this.#at), from, to];
    else this.#states = [from, to];
    this.#at = this.#states.length - 1;
  }

  undo = (shown: string): PhoneState | null => this.#go(shown, -1);
  redo = (shown: string): PhoneState | null => this.#go(shown, 1);

  #go(shown: string, by: 1 | -1): PhoneState | null {
    const target = this.#states[this.#at + by];
    if (!target || this.#states[this.#at]?.text !== shown) return null;
    this.#at += by;
    return target;
  }
}
