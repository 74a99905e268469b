/** Moves the focus to the first invalid field: screen readers announce it, and it can be corrected without the mouse. */
export function focusFirstWrong(within: ParentNode | null = null): void {
  const field = (within ?? document).querySelector<HTMLElement>("[aria-invalid='true']");
  if (field && field !== document.activeElement) field.focus();
}

/** Does the same for forms that are validated in the browser; called once by the frame. */
export function watchWrongFields(): () => void {
  // After the current task, in which React renders the marks.
  const look = ({ target }: Event) => setTimeout(() => focusFirstWrong(target instanceof Element ? target : null), 0);
  document.addEventListener("submit", look);
  return () => document.removeEventListener("submit", look);
}
