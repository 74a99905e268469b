import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** How long the letters typed in an open menu are taken for one word. */
const typeAheadMs = 350;

/**
 * A menu under a button, made of `<details>`, so that it opens before scripts arrive. It closes when the pointer leaves,
 * on Escape, on a press elsewhere and on navigation; arrows walk its links and letters jump to the one that begins so.
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
  const typed = useRef({ letters: "", at: 0 });
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
    const summary = details.querySelector("summary");
    if (event.key === "Escape" && details.open) {
      close();
      summary?.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (step === undefined && !(isLetter && details.open) && event.key !== "Home" && event.key !== "End") return;
    if (!details.open && step === undefined) return;
    event.preventDefault();
    details.open = true;
    const links = [...details.querySelectorAll<HTMLElement>("a, button")];
    const at = links.indexOf(document.activeElement as HTMLElement);
    if (step !== undefined) links[(at + step + links.length + (at < 0 && step < 0 ? 1 : 0)) % links.length]?.focus();
    else if (event.key === "Home") links[0]?.focus();
    else if (event.key === "End") links.at(-1)?.focus();
    else jump(links, at, event.key, event.timeStamp);
  }

  function jump(links: HTMLElement[], at: number, letter: string, now: number) {
    const isOneWord = now - typed.current.at < typeAheadMs;
    typed.current = { letters: (isOneWord ? typed.current.letters : "") + letter.toLowerCase(), at: now };
    const { letters } = typed.current;
    const from = letters.length > 1 ? Math.max(at, 0) : at + 1;
    const inOrder = [...links.slice(from), ...links.slice(0, from)];
    inOrder.find((link) => (link.textContent ?? "").trim().toLowerCase().replace(/^[«"]/, "").startsWith(letters))?.focus();
  }

  return (
    <details
      ref={menu}
      className={`drop ${className}`}
      onKeyDown={onKeyDown}
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
