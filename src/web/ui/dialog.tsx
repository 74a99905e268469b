import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "../styles/dialog.css";

type DialogProps = {
  title: ReactNode;
  /** False lets the dialog go: focus returns to where it was, the box fades, and the owner unmounts it afterwards. */
  isOpen: boolean;
  onClose: () => void;
  className?: string;
  children: ReactNode;
};

const focusable =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]:not([tabindex='-1']), video[controls]";

/**
 * A modal on the browser's own `<dialog>`: the page behind is inert, Escape and a press outside close it, focus goes to
 * the element marked `data-autofocus` (else the first field) and comes back to the opener. Rendered in the browser only.
 */
export function Dialog({ title, isOpen, onClose, className = "", children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  /** Closed by us: its `close` event, which comes later, is no news. */
  const isLetGo = useRef(false);
  const titleId = useId();

  // Not in the layout phase: React puts the focus back where it stood before a commit, which would be inside the box that is just being closed.
  useEffect(() => {
    const dialog = box.current;
    if (!dialog || !isOpen) return;
    const opener = document.activeElement;
    isLetGo.current = false;
    // The page behind stops scrolling and loses its scrollbar; its place is kept, so that nothing jumps.
    const { documentElement: root } = document;
    root.style.setProperty("--scrollbar", `${innerWidth - root.clientWidth}px`);
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      isLetGo.current = true;
      dialog.close();
      // The browser returns focus by itself, unless the opener is gone («Войти» after signing in) or cannot hold it (Safari's buttons).
      if (document.activeElement !== document.body) return;
      const back = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector<HTMLElement>("main");
      back?.focus({ preventScroll: true });
    };
  }, [isOpen]);

  // The browser may close the box past us (a second Escape, Android's back gesture).
  useEffect(() => {
    const dialog = box.current;
    if (!dialog || !isOpen) return;
    const heed = () => {
      if (!isLetGo.current) onClose();
    };
    dialog.addEventListener("close", heed);
    return () => dialog.removeEventListener("close", heed);
  }, [isOpen, onClose]);

  const isOutside = (event: MouseEvent) => event.target === box.current;

  return (
    <dialog
      ref={box}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        pressedOutside.current = isOutside(event);
      }}
      onClick={(event) => {
        if (pressedOutside.current && isOutside(event)) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Tab" || !box.current) return;
        // Without this, Tab after the last element leaves for the browser's own bar.
        const all = [...box.current.querySelectorAll<HTMLElement>(focusable)].filter((each) => each.offsetParent !== null);
        const edge = event.shiftKey ? all[0] : all.at(-1);
        if (document.activeElement !== edge) return;
        event.preventDefault();
        (event.shiftKey ? all.at(-1) : all[0])?.focus();
      }}
    >
      <div className="dialog__body">
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {children}
        <button className="tool dialog__close" type="button" aria-label="Закрыть" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
    </dialog>
  );
}
