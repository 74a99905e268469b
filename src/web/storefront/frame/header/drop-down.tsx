import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Loaded when the menu is first pointed at or focused. */
const menuKeys = () => import("./menu-keys.ts");
const warm = () => void menuKeys().catch(() => undefined);

/**
 * A menu under a button, made of `<details>`, so that it opens before hydration. It closes when the pointer leaves, on Escape, on a press
 * elsewhere and on navigation. Arrow keys move between its links; letters jump to the link that begins with them.
 */
export function DropDown({
  label,
  className = "",
  onOpen,
  children,
}: {
  label: ReactNode;
  className?: string;
  onOpen?: () => void;
  children: ReactNode;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();

  useEffect(() => {
    menu.current?.removeAttribute("open");
  }, [key]);
  useEffect(() => {
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) menu.current?.removeAttribute("open");
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, []);

  const close = () => menu.current?.removeAttribute("open");

  function onKeyDown(event: KeyboardEvent) {
    const details = menu.current;
    if (!details) return;
    const { key: pressed, timeStamp } = event;
    if (pressed === "Escape" && details.open) {
      close();
      details.querySelector("summary")?.focus();
      return;
    }
    const isLetter = pressed.length === 1 && pressed !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isForOpen = isLetter || pressed === "Home" || pressed === "End";
    if (pressed !== "ArrowDown" && pressed !== "ArrowUp" && !(isForOpen && details.open)) return;
    event.preventDefault();
    details.open = true;
    // Keys pressed before the code has loaded are handled in their order.
    menuKeys().then(
      ({ moveFocus }) => moveFocus(details, pressed, timeStamp),
      () => undefined, // Tab still moves between the links
    );
  }

  return (
    <details
      ref={menu}
      className={`drop ${className}`}
      onKeyDown={onKeyDown}
      onFocus={warm}
      onToggle={(event) => {
        if (event.currentTarget.open) onOpen?.();
      }}
      onPointerLeave={(event) => {
        if (event.pointerType === "mouse") close();
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <summary>{label}</summary>
      <div className="drop__panel">{children}</div>
    </details>
  );
}
