/** What the styles of a first view (`base.css`) lay out later. */
const later = ".section, .card:nth-child(n + 7)";

const presses = ["pointerdown", "pointerup", "pointercancel"];

/** How long to wait before the next part while a pointer is pressed. */
const pressedDelayMs = 50;

/**
 * Lays out the rest of a first view, one part after another, and removes the mark (`loading.ts`), so that from then on the page is like any
 * other. Each part is laid out in a task of its own: in the frame that paints it, layout and painting would be one long task. Pauses during
 * a press, which what moves under the pointer would lose. Returns a function that stops.
 */
export function layOutRest(): () => void {
  const root = document.documentElement;
  if (root.dataset.firstView === undefined) return () => {};
  const parts = [...document.querySelectorAll<HTMLElement>(later)];
  let isPressed = false;
  const follow = ({ type }: Event): void => void (isPressed = type === "pointerdown");
  for (const type of presses) addEventListener(type, follow, true);
  let timer = setTimeout(layOutNext);
  function layOutNext(): void {
    timer = setTimeout(layOutNext, isPressed ? pressedDelayMs : 0);
    if (isPressed) return;
    const part = parts.shift();
    if (part) {
      part.style.setProperty("content-visibility", "visible");
      part.getBoundingClientRect(); // Nothing but this part is waiting for its layout.
      return;
    }
    stop();
    delete root.dataset.firstView;
  }
  function stop(): void {
    clearTimeout(timer);
    for (const type of presses) removeEventListener(type, follow, true);
  }
  return stop;
}
