import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/**
 * Names the new page after a navigation without a page load, which screen readers do not notice. If the pressed link went with the old
 * page, the focus moves to the content of the new one. Rendered inside a live region.
 */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (pathname === shown.current) return;
    shown.current = pathname;
    setTitle(document.title);
    if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);
  return <p className="visually-hidden">{title}</p>;
}
