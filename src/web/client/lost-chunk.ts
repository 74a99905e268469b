/** Also used by the inline script in the page's head, which runs when this file did not load. */
const guardKey = "chunk-reloaded-at";
const guardMs = 10_000;

/**
 * After a release an open page may request a chunk that no longer exists. One reload brings the new build. A second failure within ten
 * seconds does not reload, because that could loop.
 */
export function reloadOnLostChunk(): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (reloadOnce()) event.preventDefault();
  });
}

/** A missing chunk is reported twice: for its style sheet and for itself. Only the first report starts the reload. */
let isReloading = false;

function reloadOnce(): boolean {
  if (isReloading) return true;
  if (!mayReload()) return false;
  isReloading = true;
  location.reload();
  return true;
}

/** Whether the page may reload because of a missing chunk: not offline, and not twice within ten seconds. Stores the time of the reload. */
export function mayReload(): boolean {
  if (!navigator.onLine) return false;
  const now = performance.timeOrigin + performance.now();
  try {
    const last = Number(sessionStorage.getItem(guardKey) ?? 0);
    if (now - last < guardMs) return false;
    sessionStorage.setItem(guardKey, String(now));
    return true;
  } catch {
    return false; // No session storage: without the stored time a reload could loop.
  }
}

/**
 * Inline script for the page's head. When one of the first scripts does not load, nothing else runs. It reloads the page once, by the same
 * rule as `mayReload`. If that does not help, it reports the fault to the server and the page works as one without scripts.
 */
export const watchFirstScripts =
  `(function(){function lost(what){if(!window.earlyClicks)return;var now=Date.now();` +
  `try{if(navigator.onLine&&now-(+sessionStorage.getItem("${guardKey}")||0)>=${guardMs})` +
  `{sessionStorage.setItem("${guardKey}",now);location.reload();return}}catch(e){}` +
  `console.error("the page's scripts did not load",what);` +
  `fetch("/api/faults",{method:"POST",headers:{"content-type":"application/json"},` +
  `body:JSON.stringify({message:"mount: "+String(what).slice(0,250),path:location.pathname.slice(0,200)})}).catch(function(){})}` +
  `addEventListener("error",function(e){` +
  `if(e.target&&e.target.tagName==="SCRIPT"&&(!e.target.src||e.target.src.indexOf(location.origin)===0))lost("a script is lost")},true);` +
  `addEventListener("unhandledrejection",function(e){if(/module/.test(e.reason&&e.reason.message))lost(e.reason.message)})})()`;
