/** What the styles of a first view (`base.css`) lay out later. */
const later = ".section, .card:nth-child(n + 7)";

/**
 * Lays out the rest of a first view, one part in each frame, and removes the mark (`loading.ts`), so that from then on the page is like any
 * other. Reads no style, because that would lay out everything at once. Returns a function that stops.
 */
export function layOutRest(): () => void {
  const root = document.documentElement;
  if (root.dataset.firstView === undefined) return () => {};
  const parts = [...document.querySelectorAll<HTMLElement>(later)];
  let frame = requestAnimationFrame(layOutNext);
  function layOutNext(): void {
    const part = parts.shift();
    if (!part) return void delete root.dataset.firstView;
    part.style.setProperty("content-visibility", "visible");
    frame = requestAnimationFrame(layOutNext);
  }
  return () => cancelAnimationFrame(frame);
}
