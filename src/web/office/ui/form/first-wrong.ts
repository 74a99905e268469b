const firstWrong = (within: ParentNode): HTMLElement | null => within.querySelector<HTMLElement>("[aria-invalid='true']");

/**
 * Moves the focus to the first invalid field, of this form if it has one: screen readers announce it, and it can be corrected without the
 * mouse.
 */
export function focusFirstWrong(within: ParentNode | null = null): void {
  const field = (within && firstWrong(within)) ?? firstWrong(document);
  if (field && field !== document.activeElement) field.focus();
}

/** The messages for fields that the screen does not show: no part of the text contains them. */
export const lostMessages = (fields: Readonly<Record<string, string>>, shown: string): string[] => {
  const messages = [...new Set(Object.values(fields))];
  return messages.some((message) => shown.includes(message)) ? [] : messages;
};

/** Does the same for forms that are validated in the browser; called once by the frame. */
export function watchWrongFields(): () => void {
  // After the current task, in which React renders the marks.
  const look = ({ target }: Event) => setTimeout(() => focusFirstWrong(target instanceof Element ? target : null), 0);
  document.addEventListener("submit", look);
  return () => document.removeEventListener("submit", look);
}
