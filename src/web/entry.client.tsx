/** React Router wants an entry and finds it by this name; pages call `hydratePage` themselves (`first-view/page-scripts.tsx`). */
import "./first-view/hydrate-page.tsx";
