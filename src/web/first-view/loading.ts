/**
 * Script for the page's head. Marks the document as loading; `page-scripts.tsx` removes the mark when the first pictures and fonts have
 * loaded and the page was painted, at the latest after three seconds. Until then the styles (`base.css`) delay lazy pictures.
 *
 * A page that is opened at its top, neither reloaded nor returned to, is also marked as a first view, of which the browser first lays out
 * what is near the window; `lay-out-rest.ts` removes that mark, at the latest ten seconds do. Without scripts nothing is marked and nothing
 * is delayed.
 */
export const loadingScript =
  `(function(root,entry){root.dataset.loading="";setTimeout(function(){delete root.dataset.loading},3e3);` +
  `if(entry&&entry.type==="navigate"&&!location.hash){root.dataset.firstView="";` +
  `setTimeout(function(){delete root.dataset.firstView},1e4)}})` +
  `(document.documentElement,performance.getEntriesByType("navigation")[0])`;
