import { useEffect, useEffectEvent, useState, type FormEvent, type RefObject } from "react";
import { enterValue } from "../../../first-view/early-input.ts";
import { stampField, trapField, type FormAnswer } from "./form-answer.ts";

/** A consent is given again each time; stamp and trap belong to the rendered form. */
const notStored = new Set(["consent", stampField, trapField]);

type Entries = [name: string, value: string][];

type FormDraft = {
  /** The form's `onInput`. */
  store(event: FormEvent<HTMLFormElement>): void;
  /** How many values of a field the draft has; a form with a growing number of rows renders that many. 0 until the draft is read. */
  draftCount(name: string): number;
};

/**
 * Stores a draft of the form in `sessionStorage` until it is sent, so that it survives a reload, a visit to another page and a lost
 * connection.
 */
export function useFormDraft(box: RefObject<HTMLElement | null>, action: string, answer: FormAnswer | undefined): FormDraft {
  const key = `words ${action}`;
  const isSent = answer?.kind === "sent";
  const [draft, setDraft] = useState<Entries>([]);
  const restore = useEffectEvent(() => {
    if (!answer) setDraft(read(key)); // an answer brings the values itself
  });
  useEffect(() => {
    if (isSent) write(key, []);
    else restore();
  }, [isSent, key]);
  // Runs once the form has as many rows as the draft.
  useEffect(() => {
    for (const [field, value] of matchFields(box.current?.querySelector("form") ?? null, draft)) enterValue(field, value);
  }, [box, draft]);

  const store = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const entries = [...new FormData(currentTarget)].filter(
      (pair): pair is [string, string] => typeof pair[1] === "string" && !notStored.has(pair[0]) && !isHidden(currentTarget, pair[0]),
    );
    write(key, entries.some(([, value]) => value !== "") ? entries : []);
  };
  return { store, draftCount: (name) => draft.filter(([of]) => of === name).length };
}

const isHidden = (form: HTMLFormElement, name: string): boolean => form.querySelector(`input[type=hidden][name="${name}"]`) !== null;

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Finds the field of each entry: the radio button of that value, or the next field of that name. A field with a value is left alone. */
function matchFields(form: HTMLFormElement | null, entries: Entries): [Field, string | boolean][] {
  const matches: [Field, string | boolean][] = [];
  const used = new Set<Field>();
  for (const [name, value] of entries) {
    const fields = [...(form?.querySelectorAll<Field>(`[name="${CSS.escape(name)}"]`) ?? [])].filter((field) => !used.has(field));
    const choice = fields.find((field) => field.type === "radio" && field.value === value);
    const text = fields.find((field) => !["radio", "checkbox", "hidden"].includes(field.type));
    if (choice) matches.push([choice, true]);
    if (!text) continue;
    used.add(text);
    if (value !== "" && (text.value === "" || text instanceof HTMLSelectElement)) matches.push([text, value]);
  }
  return matches;
}

function write(key: string, entries: Entries): void {
  try {
    if (entries.length > 0) sessionStorage.setItem(key, JSON.stringify(entries));
    else sessionStorage.removeItem(key);
  } catch {
    /* the browser refuses storage */
  }
}

function read(key: string): Entries {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(stored)
      ? stored.filter(
          (pair): pair is [string, string] => Array.isArray(pair) && pair.length === 2 && pair.every((each) => typeof each === "string"),
        )
      : [];
  } catch {
    return [];
  }
}
