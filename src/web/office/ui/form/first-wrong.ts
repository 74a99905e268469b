/** Moves the focus to the first field that is marked as wrong, so that it is read out and can be corrected without the mouse. */
export function focusFirstWrong(within: ParentNode | null = null): void {
  const field = (within ?? document).querySelector<HTMLElement>("[aria-invalid='true']");
  if (field && field !== document.activeElement) field.focus();
}

/** The same for forms that check before they send; called once by the frame. */
export function watchWrongFields(): () => void {
  // After the task of the press, in which React draws the marks.
  const look = ({ target }: Event) => setTimeout(() => focusFirstWrong(target instanceof Element ? target : null), 0);
  document.addEventListener("submit", look);
  return () => document.removeEventListener("submit", look);
}
