/** What the styles of a first view (`base.css`) lay out later. */
const later = ".section, .card:nth-child(n + 7)";

const presses = ["pointerdown", "pointerup", "pointercancel"];

/**
 * Lays out the rest of a first view, one part in each frame, and removes the mark (`loading.ts`), so that from then on the page is like any
 * other. Reads no style, because that would lay out everything at once. Pauses during a press, which what moves under the pointer would
 * lose. Returns a function that stops.
 */
export function layOutRest(): () => void {
  const root = document.documentElement;
  if (root.dataset.firstView === undefined) return () => {};
  const parts = [...document.querySelectorAll<HTMLElement>(later)];
  let isPressed = false;
  const follow = ({ type }: Event): void => void (isPressed = type === "pointerdown");
  for (const type of presses) addEventListener(type, follow, true);
  let frame = requestAnimationFrame(layOutNext);
  function layOutNext(): void {
    frame = requestAnimationFrame(layOutNext);
    if (isPressed) return;
    const part = parts.shift();
    if (part) return part.style.setProperty("content-visibility", "visible");
    stop();
    delete root.dataset.firstView;
  }
  function stop(): void {
    cancelAnimationFrame(frame);
    for (const type of presses) removeEventListener(type, follow, true);
  }
  return stop;
}
