import { flushSync } from "react-dom";

type InputElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

declare global {
  interface Window {
    /** Buttons pressed before hydration; removed once the page has hydrated and replayed them. */
    earlyClicks?: HTMLButtonElement[];
    /** Values typed, chosen and ticked before hydration. */
    earlyEntries?: Map<InputElement, string | boolean>;
    recordEarlyInput?: (event: Event) => void;
  }
}

/**
 * Script for the page's head. Records presses of `type="button"` buttons and values entered into fields until the page hydrates. Links and
 * forms work without scripts. One exception: a stepper's button pressed again while its form is being sent must ask for one more, so
 * `data-each` says by how much each press counts.
 */
export const earlyInputScript =
  `earlyClicks=[];earlyEntries=new Map;` +
  `recordEarlyInput=function(e){var t=e.target,b;` +
  `if(e.type=="input")earlyEntries.set(t,/^(checkbox|radio)$/.test(t.type)?t.checked:t.value);` +
  `else if(b=t.closest("button[type=button]")){if(b.dataset.each||!earlyClicks.includes(b))earlyClicks.push(b)}` +
  `else if(b=t.closest("button[data-each]"))` +
  `setTimeout(function(){if(!e.defaultPrevented)b.value=Math.max(1,+b.value+ +b.dataset.each)})};` +
  `addEventListener("click",recordEarlyInput,true);addEventListener("input",recordEarlyInput,true)`;

/**
 * Stops recording; call it while React commits. A press during hydration makes React hydrate at once and then reaches its handlers, so
 * that press is removed from the record.
 */
export function stopRecording(): void {
  if (!window.recordEarlyInput) return;
  removeEventListener("click", window.recordEarlyInput, true);
  removeEventListener("input", window.recordEarlyInput, true);
  delete window.recordEarlyInput;
  const event = window.event; // undefined unless an event made React hydrate
  const button = event?.type === "click" && event.target instanceof Element ? event.target.closest("button") : null;
  // A button that React has replaced (see `inDocument`) has not received the press.
  const pressed = button?.isConnected ? (window.earlyClicks?.lastIndexOf(button) ?? -1) : -1;
  if (pressed >= 0) window.earlyClicks?.splice(pressed, 1);
}

/** Replays what was entered and pressed before hydration. A button pressed several times counts once, except buttons with `data-each`. */
export function replayEarlyInput(): void {
  if (!window.earlyClicks) return;
  // After all effects of the page, also those in a task of their own (`inNextTask`), because some of them set fields from the URL or a
  // draft.
  setTimeout(() => {
    for (const [field, entered] of window.earlyEntries ?? []) {
      const shown = inDocument(field);
      if (shown) flushSync(() => enterValue(shown, entered));
    }
    const pressed = window.earlyClicks ?? [];
    delete window.earlyEntries;
    delete window.earlyClicks;
    for (const button of pressed) {
      const shown = inDocument(button);
      if (shown) flushSync(() => shown.click());
    }
  });
}

/**
 * The element itself, or the one in its place when React has built the whole document again, which it does when it finds other elements
 * than the server wrote, such as those of a browser extension. Elements are equal that have the same name, label and value; `null` when
 * the page has none.
 */
function inDocument<T extends InputElement | HTMLButtonElement>(element: T): T | null {
  if (element.isConnected) return element;
  const isEqual = (other: T): boolean =>
    ["name", "type", "aria-label"].every((name) => other.getAttribute(name) === element.getAttribute(name)) &&
    (!/^(button|submit|checkbox|radio)$/.test(element.type) ||
      (other.value === element.value && other.textContent === element.textContent));
  const equalIn = (part: ParentNode): T[] => [...part.querySelectorAll<T>(element.localName)].filter(isEqual);
  // The removed part of the document still contains what was beside the element.
  const place = equalIn(element.getRootNode() as Element).indexOf(element);
  return equalIn(document)[place] ?? null;
}

/**
 * Enters a value again so that React and native listeners notice it. React ignores an `input` event when the value equals the last one it
 * saw. So the field first gets another value through the property that React tracks, then the entered value through the prototype's
 * setter, which React does not track.
 */
export function enterValue(field: InputElement, entered: string | boolean): void {
  if (typeof entered === "boolean") {
    (field as HTMLInputElement).checked = !entered;
    return field.click();
  }
  const isHere = document.activeElement === field;
  const { selectionStart: start = null, selectionEnd: end = null } = field as Partial<HTMLInputElement>;
  if (!(field instanceof HTMLSelectElement)) field.value = field.defaultValue === entered ? "" : field.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, entered);
  if (isHere && start !== null && field instanceof HTMLInputElement) field.setSelectionRange(start, end);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event("change", { bubbles: true }));
  // A field without focus was left before: its blur handlers must run. A range input was released.
  if (!isHere) field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  if (field.type === "range") field.dispatchEvent(new Event("pointerup", { bubbles: true }));
}
