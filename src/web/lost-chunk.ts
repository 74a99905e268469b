/** Shared with the script in the page's head, which is there when nothing of this file is. */
const guardKey = "chunk-reloaded-at";
const guardMs = 10_000;

/**
 * After a release an open page may ask for a chunk that is gone. One reload brings the new build;
 * a second failure within ten seconds is left alone, or the page would reload for ever.
 */
export function reloadOnLostChunk(): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (reloadOnce()) event.preventDefault();
  });
}

/** One chunk is missed more than once: its style sheet, then itself. What comes after the first takes nothing back. */
let isReloading = false;

function reloadOnce(): boolean {
  if (isReloading) return true;
  if (!mayReload()) return false;
  isReloading = true;
  location.reload();
  return true;
}

/** Whether the page may be loaded anew for a lost chunk; notes that it is, for the next ten seconds. Without a connection there is nothing to load. */
export function mayReload(): boolean {
  if (!navigator.onLine) return false;
  const now = performance.timeOrigin + performance.now();
  try {
    const last = Number(sessionStorage.getItem(guardKey) ?? 0);
    if (now - last < guardMs) return false;
    sessionStorage.setItem(guardKey, String(now));
    return true;
  } catch {
    return false; // Storage is closed to us: without the guard a reload could loop.
  }
}

/**
 * Stands in the page's head, for the page's first scripts: when one of them is lost nothing else runs. By the same guard the page is loaded
 * once more; if that does not help the fault is told to the server, and the page goes on as one without scripts.
 */
export const watchFirstScripts = `(function(){function lost(what){if(!window.earlyClicks)return;var now=Date.now();try{if(navigator.onLine&&now-(+sessionStorage.getItem("${guardKey}")||0)>=${guardMs}){sessionStorage.setItem("${guardKey}",now);location.reload();return}}catch(e){}console.error("the page's scripts did not load",what);fetch("/api/faults",{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify({message:"mount: "+String(what).slice(0,250),path:location.pathname.slice(0,200)})}).catch(function(){})}addEventListener("error",function(e){if(e.target&&e.target.tagName==="SCRIPT"&&(!e.target.src||e.target.src.indexOf(location.origin)===0))lost("a script is lost")},true);addEventListener("unhandledrejection",function(e){if(/module/.test(e.reason&&e.reason.message))lost(e.reason.message)})})()`;
