import { useEffect, useEffectEvent, useState, type FormEvent, type RefObject } from "react";
import { enterValue } from "../../../early-input.ts";
import { stampField, trapField, type FormAnswer } from "./form-answer.ts";

/** A consent is given anew each time; the stamp is the form's own. */
const notStored = new Set(["consent", stampField, trapField]);

type Entries = [name: string, value: string][];

type FormDraft = {
  /** The form's `onInput`. */
  store(event: FormEvent<HTMLFormElement>): void;
  /** How many fields of a name had been drawn when the words were kept: a form that grows draws as many before they are put back. 0 at first. */
  draftCount(name: string): number;
};

/** What stands in a form survives a reload, a look at another page and a lost connection: it is kept in this tab until it is sent. */
export function useFormDraft(box: RefObject<HTMLElement | null>, action: string, answer: FormAnswer | undefined): FormDraft {
  const key = `words ${action}`;
  const isSent = answer?.kind === "sent";
  const [kept, setKept] = useState<Entries>([]);
  const recall = useEffectEvent(() => {
    if (!answer) setKept(read(key));
  }); // else the answer brought them back
  useEffect(() => {
    if (isSent) write(key, []);
    else recall();
  }, [isSent, key]);
  // Once the form is drawn with as many fields as it had.
  useEffect(() => {
    for (const [field, value] of matchFields(box.current?.querySelector("form") ?? null, kept)) enterValue(field, value);
  }, [box, kept]);

  const keep = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const words = [...new FormData(currentTarget)].filter(
      (pair): pair is [string, string] => typeof pair[1] === "string" && !notStored.has(pair[0]) && !isHidden(currentTarget, pair[0]),
    );
    write(key, words.some(([, value]) => value !== "") ? words : []);
  };
  return { store: keep, draftCount: (name) => kept.filter(([of]) => of === name).length };
}

const isHidden = (form: HTMLFormElement, name: string): boolean => form.querySelector(`input[type=hidden][name="${name}"]`) !== null;

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Which field each word belongs to: the choice of that value, or the next field of its name. One that says something already stays as it is. */
function matchFields(form: HTMLFormElement | null, words: Entries): [Field, string | boolean][] {
  const matches: [Field, string | boolean][] = [];
  const passed = new Set<Field>();
  for (const [name, value] of words) {
    const fields = [...(form?.querySelectorAll<Field>(`[name="${CSS.escape(name)}"]`) ?? [])].filter((field) => !passed.has(field));
    const choice = fields.find((field) => field.type === "radio" && field.value === value);
    const text = fields.find((field) => !["radio", "checkbox", "hidden"].includes(field.type));
    if (choice) matches.push([choice, true]);
    if (!text) continue;
    passed.add(text);
    if (value !== "" && (text.value === "" || text instanceof HTMLSelectElement)) matches.push([text, value]);
  }
  return matches;
}

function write(key: string, words: Entries): void {
  try {
    if (words.length > 0) sessionStorage.setItem(key, JSON.stringify(words));
    else sessionStorage.removeItem(key);
  } catch {
    /* a browser that keeps nothing */
  }
}

function read(key: string): Entries {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(kept)
      ? kept.filter(
          (pair): pair is [string, string] => Array.isArray(pair) && pair.length === 2 && pair.every((each) => typeof each === "string"),
        )
      : [];
  } catch {
    return [];
  }
}
