const guardKey = "chunk-reloaded-at";
const guardMs = 10_000;

/**
 * After a release an open page may ask for a chunk that is gone. One reload brings the new build;
 * a second failure within ten seconds is left alone, or the page would reload for ever.
 */
export function reloadOnLostChunk(): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (mayReload(performance.timeOrigin + performance.now())) {
      event.preventDefault();
      location.reload();
    }
  });
}

function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(guardKey) ?? 0);
    if (now - last < guardMs) return false;
    sessionStorage.setItem(guardKey, String(now));
    return true;
  } catch {
    return false; // Storage is closed to us: without the guard a reload could loop.
  }
}
