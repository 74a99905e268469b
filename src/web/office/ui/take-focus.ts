/**
 * A ref for what replaces a pressed button, such as the contacts behind «Показать»: takes the focus that was lost with the button, so that
 * the keyboard stays in its place. Focus that has moved elsewhere meanwhile is left there.
 */
export const takeLostFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
};
