import { confirm } from "./confirm.tsx";

type AnyField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Unsaved entries of all forms: fields whose value differs from the one that they had when they got the focus. Screens need not register
 * them. Fields of searches, filters, scanners and selections of rows are left out, because nothing of them is stored.
 */
const entered = new WeakMap<AnyField, string>();
const typed = new Set<AnyField>();
let unsent = 0;

const leftOut = "search, [role='search'], [role='combobox'], [data-passing], input:is([type='search'], [type='file']), .palette";
const scopes = "form, [role='dialog'], [role='alertdialog'], .panel";

function fieldOf({ target }: Event): AnyField | null {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  return isField && !target.closest(leftOut) && target.closest("main, [role='dialog'], [role='alertdialog']") ? target : null;
}
const valueOf = (field: AnyField): string =>
  field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type) ? String(field.checked) : field.value;

/** The attribute of `UnsavedMark` while something besides the fields is unsaved. */
const mark = "data-unsaved";

/** Whether there are unsaved entries inside, typed or chosen by a button. */
export function hasUnsaved(within: Document | Element = document): boolean {
  if ((within === document && unsent > 0) || within.querySelector(`[${mark}]`)) return true;
  for (const field of typed) if (!field.isConnected) typed.delete(field);
  return [...typed].some((field) => within.contains(field) && valueOf(field) !== entered.get(field));
}

/**
 * What was clicked, changed or submitted last: Safari gives a clicked button no focus, and a field that is left has none. Null after a key,
 * which acts where the focus is.
 */
let pressed: Element | null = null;

/** The form, dialog or panel of the last press; null outside of them. */
export function formInUse(): Element | null {
  const element = pressed?.isConnected ? pressed : document.activeElement;
  // A button may be outside its form.
  return (element instanceof HTMLButtonElement ? element.form : null) ?? element?.closest(scopes) ?? null;
}

/** Marks the entries inside as saved, or as discarded. */
export function forgetTyped(within: Document | Element = document): void {
  // React sets the mark again when there is something new.
  for (const marked of within.querySelectorAll(`[${mark}]`)) marked.removeAttribute(mark);
  for (const field of typed) {
    if (!within.contains(field)) continue;
    typed.delete(field);
    entered.delete(field);
  }
}

/** Marks a change without a form, such as a scan, as unsent. Returns the function that ends the mark. */
export function markUnsent(): () => void {
  unsent += 1;
  return () => {
    unsent -= 1;
  };
}

/** Whether the unsaved entries inside may be discarded: asks the person, and is true at once when there are none. */
export async function mayGiveUp(within: Document | Element = document): Promise<boolean> {
  if (!hasUnsaved(within)) return true;
  const answer = await confirm({
    title: "Уйти без сохранения?",
    text: "Введённое здесь ещё не отправлено и пропадёт.",
    action: "Уйти",
    refusal: "Остаться",
    isLoss: true,
  });
  if (answer) forgetTyped(within);
  return answer !== null;
}

/** What is docked beside a screen: a panel, or the entry of a statement. */
const docked = ".panel, .two-panes__right";

/**
 * Closes or replaces the docked panel from outside. `leave` runs at once when the panel has no unsaved entries, else after a confirmation;
 * it does not run when the person stays.
 */
export async function leavePanel(leave: () => void): Promise<void> {
  const panel = document.querySelector(docked);
  if (panel === null || (await mayGiveUp(panel))) leave();
}

/** Watches the fields of the whole app, and warns before the page is closed or loaded again; called once by the frame. */
export function watchTyping(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const enter = (event: Event) => {
    const field = fieldOf(event);
    if (field && !entered.has(field)) entered.set(field, valueOf(field));
  };
  const change = (event: Event) => {
    const field = fieldOf(event);
    if (field) typed.add(field);
  };
  const press = ({ target }: Event) => {
    pressed = target instanceof Element ? (target.closest("button") ?? target) : null;
  };
  for (const type of ["click", "change", "submit"]) document.addEventListener(type, press, { signal, capture: true });
  document.addEventListener(
    "keydown",
    () => {
      pressed = null;
    },
    { signal, capture: true },
  );
  document.addEventListener("focusin", enter, { signal });
  for (const type of ["input", "change"]) document.addEventListener(type, change, { signal });
  addEventListener("beforeunload", (event) => hasUnsaved() && event.preventDefault(), { signal });
  return () => {
    stop.abort();
    forgetTyped();
  };
}
