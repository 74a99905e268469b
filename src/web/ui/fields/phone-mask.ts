import { maskedPhone, phoneDigits } from "./phone.ts";

/** What the field shows and where the caret is in it. `isForeign`: a number of another country was refused, and the text is as before. */
export type PhoneState = { text: string; caret: number; isForeign?: true };

/** One change of the field as the browser reports it, before the mask is applied. */
export type PhoneInput = {
  /** The text before the change, as this module returned it. */
  before: string;
  /** The selection before the change; null when the browser did not report it (autofill, a value set by a script). */
  selection: { start: number; end: number } | null;
  /** The text after the change, and the caret in it. */
  after: string;
  caret: number;
  /** `inputType` of the event; empty for events without one. */
  type: string;
};

const maxDigits = 10;
const prefix = "+7 (";

/**
 * Applies a change to a phone behind the mask `+7 (###) ###-##-##`: the result is the same change made to its ten digits. Digits past the
 * tenth are dropped. Deleting only brackets, spaces or dashes deletes the digit beside them. A whole number replaces what is there; one of
 * another country, which the mask would cut to a Russian one, is refused. In an empty field a leading 7 or 8 is the country code and gives
 * the bare prefix `+7 (`.
 */
export function editPhone({ before, selection, after, caret, type }: PhoneInput): PhoneState {
  const change = changedRange(before, after, caret, selection?.start ?? before.length);
  if (isForeign(`${before === "+" ? "+" : ""}${change?.inserted ?? after}`)) return { text: before, caret: before.length, isForeign: true };
  if (!change) return atEnd(enteredDigits(after));
  const { start, end, inserted } = change;
  const isDeletion = type.startsWith("delete") || (inserted === "" && after.length < before.length);
  const replacesAll = start === 0 && end === before.length;
  if (isDeletion && after === "") return { text: "", caret: 0 };
  if (!isDeletion && isBlank(before, replacesAll)) return entered(before === "+" && !replacesAll ? `+${inserted}` : inserted);

  const whole = wholeNumber(inserted);
  if (whole) return atEnd(whole);

  const digits = digitsBefore(before, before.length);
  const added = insertedDigits(inserted);
  let [from, to] = [digitsBefore(before, start).length, digitsBefore(before, end).length];
  if (isDeletion && from === to && (selection ? selection.start === selection.end : end - start === 1)) {
    if (digits === "") return { text: "", caret: 0 };
    const isForward = type.endsWith("Forward");
    if (isForward) to = Math.min(to + 1, digits.length);
    else from = Math.max(from - 1, 0);
  }
  const result = (digits.slice(0, from) + added + digits.slice(to)).slice(0, maxDigits);
  const place = Math.min(from + added.length, maxDigits);
  return { text: maskedPhone(result), caret: maskedPhone(result.slice(0, place)).length };
}

/** What remains of the field when it is left: a prefix without digits is an empty field. */
export const leftPhone = (text: string): string => (digitsBefore(text, text.length) === "" ? "" : text);

/** The part of `before` that was replaced, and by what; null when the texts do not fit each other. */
function changedRange(
  before: string,
  after: string,
  caret: number,
  selectionStart: number,
): { start: number; end: number; inserted: string } | null {
  const tail = after.slice(caret);
  if (!before.endsWith(tail)) return null;
  const end = before.length - tail.length;
  const most = Math.min(end, caret, selectionStart);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  return { start, end, inserted: after.slice(start, caret) };
}

/** An empty field, one with a single `+`, or one whose whole text is replaced: the number is entered from its beginning. */
const isBlank = (before: string, replacesAll: boolean): boolean => before === "" || before === "+" || replacesAll;

/** The digits of the number, without the 7 of the prefix, up to a place in the text. */
const digitsBefore = (text: string, place: number): string =>
  text.slice(Math.min(prefix.length, text.length), Math.max(place, prefix.length)).replace(/\D/g, "");

const digitsOf = (text: string): string => text.normalize("NFKC").replace(/\D/g, "");

/** A whole number with a country code other than 7; «+8 916 …» is a common way to write a Russian one. */
const isForeign = (text: string): boolean => /^\s*\++\s*[^78\s+]/.test(text.normalize("NFKC")) && digitsOf(text).length >= maxDigits;

function wholeNumber(text: string): string | null {
  if (digitsOf(text).length < maxDigits) return null;
  const digits = phoneDigits(text);
  return digits.length === maxDigits ? digits : null;
}

/** Part of a number inserted among other digits: only a written `+7` is a country code there. */
const insertedDigits = (text: string): string => digitsOf(text.normalize("NFKC").replace(/^\s*\+\s*7/, ""));

function entered(text: string): PhoneState {
  const plain = text.normalize("NFKC").trim();
  if (/^\++$/.test(plain)) return { text: "+", caret: 1 };
  return digitsOf(plain) === "" ? { text: "", caret: 0 } : atEnd(enteredDigits(plain));
}

/** Ten digits or fewer of a number entered from its beginning. */
function enteredDigits(text: string): string {
  const whole = wholeNumber(text);
  if (whole) return whole;
  return digitsOf(text).replace(/^[78]/, "").slice(0, maxDigits);
}

const atEnd = (digits: string): PhoneState => {
  const text = maskedPhone(digits);
  return { text, caret: text.length };
};
