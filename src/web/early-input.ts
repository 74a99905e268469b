import { flushSync } from "react-dom";

type InputElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

declare global {
  interface Window {
    /** Buttons pressed while the page had no scripts yet; gone once the page has come alive and done what they ask. */
    earlyClicks?: HTMLButtonElement[];
    /** What was typed, chosen and ticked meanwhile. */
    earlyEntries?: Map<InputElement, string | boolean>;
    keepEarly?: (event: Event) => void;
  }
}

/**
 * Stands in the page's head: remembers presses of buttons that only scripts can serve, and what is entered into fields, from the moment
 * the page is seen. Links and forms need no such care, they work by themselves; only a quantity that is pressed again while its form is
 * already on the way has to ask for one more: `data-each` says by how much each press of a button counts.
 */
export const earlyInputScript = `earlyClicks=[];earlyEntries=new Map;keepEarly=function(e){var t=e.target,b;if(e.type=="input")earlyEntries.set(t,/^(checkbox|radio)$/.test(t.type)?t.checked:t.value);else if(b=t.closest("button[type=button]")){if(b.dataset.each||!earlyClicks.includes(b))earlyClicks.push(b)}else if(b=t.closest("button[data-each]"))setTimeout(function(){if(!e.defaultPrevented)b.value=Math.max(1,+b.value+ +b.dataset.each)})};addEventListener("click",keepEarly,true);addEventListener("input",keepEarly,true)`;

/**
 * From here on the page itself hears what is pressed: to be called while React commits. A press in the middle of coming alive makes React
 * hurry and is heard by it afterwards; that one is not done a second time.
 */
export function stopRecording(): void {
  if (!window.keepEarly) return;
  removeEventListener("click", window.keepEarly, true);
  removeEventListener("input", window.keepEarly, true);
  delete window.keepEarly;
  const hurry = window.event; // none while React works by itself
  const button = hurry?.type === "click" && hurry.target instanceof Element ? hurry.target.closest("button") : null;
  const heard = button ? (window.earlyClicks?.lastIndexOf(button) ?? -1) : -1;
  if (heard >= 0) window.earlyClicks?.splice(heard, 1);
}

/** Once the page listens, tells it what was entered before it did, and does what was asked; a button pressed twice by an impatient hand counts once, unless each press is one more (`data-each`). */
export function replayEarlyInput(): void {
  if (!window.earlyClicks) return;
  // After all effects of the page: some of them set fields back to what the address or a draft says.
  queueMicrotask(() => {
    for (const [field, entered] of window.earlyEntries ?? []) if (field.isConnected) flushSync(() => enterValue(field, entered));
    const pressed = window.earlyClicks ?? [];
    delete window.earlyEntries;
    delete window.earlyClicks;
    for (const button of pressed) if (button.isConnected) flushSync(() => button.click());
  });
}

/**
 * Enters once more what somebody entered, with all that listens hearing it. React compares a field with what it saw there last, which is the very same: so first the field is
 * given another value through the property that React watches, and then the entered one past it.
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
  // Whoever has gone on already has finished this field; a handle was let go of.
  if (!isHere) field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  if (field.type === "range") field.dispatchEvent(new Event("pointerup", { bubbles: true }));
}
