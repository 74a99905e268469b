/**
 * Script for the page's head. Marks the document as loading; `page-scripts.tsx` removes the mark when the first pictures and fonts have loaded
 * and the page was painted, at the latest after three seconds. Until then the styles (`base.css`) delay lazy pictures and fonts of a few
 * characters. Without scripts nothing is marked and nothing is delayed.
 */
export const loadingScript = `(function(root){root.dataset.loading="";setTimeout(function(){delete root.dataset.loading},3e3)})(document.documentElement)`;
