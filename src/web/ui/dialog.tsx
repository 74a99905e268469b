import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "../styles/dialog.css";

type DialogProps = {
  title: ReactNode;
  /** False closes the dialog: focus returns to the opener, the box fades out, and the owner then unmounts it. */
  isOpen: boolean;
  onClose: () => void;
  className?: string;
  children: ReactNode;
};

const focusable = [
  "a[href]",
  "button:not([disabled])",
  "input:not([disabled])",
  "select:not([disabled])",
  "textarea:not([disabled])",
  "[tabindex]:not([tabindex='-1'])",
  "video[controls]",
].join(", ");

/**
 * A modal based on the browser's `<dialog>`: the page behind is inert, Escape and a press outside close it. Focus goes to the element
 * marked `data-autofocus` (else the first field) and returns to the opener. Rendered in the browser only.
 */
export function Dialog({ title, isOpen, onClose, className = "", children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  /** Closed by this component: its later `close` event is ignored. */
  const isClosedHere = useRef(false);
  const titleId = useId();
  const lastFocused = useRef<HTMLElement | null>(null);
  /** The focused button was disabled, so the focus is gone. */
  const isFocusLost = useRef(false);

  // A button that is disabled while its call runs gets the focus back with the answer, unless the focus went elsewhere in the dialog.
  useEffect(() => {
    const element = lastFocused.current;
    if (!element || !isOpen) return;
    if (element.matches(":disabled")) isFocusLost.current = true;
    else if (isFocusLost.current) {
      isFocusLost.current = false;
      const { activeElement } = document;
      if (activeElement === document.body || activeElement === box.current) element.focus({ preventScroll: true });
    }
  });

  // Not a layout effect: React restores the focus of before the commit, which would be inside the dialog that is being closed.
  useEffect(() => {
    const dialog = box.current;
    if (!dialog || !isOpen) return;
    const opener = document.activeElement;
    isClosedHere.current = false;
    // The page behind stops scrolling and loses its scrollbar; its width is reserved, so that the page does not shift.
    const { documentElement: root } = document;
    root.style.setProperty("--scrollbar", `${innerWidth - root.clientWidth}px`);
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      isClosedHere.current = true;
      dialog.close();
      // The browser returns the focus, unless the opener is gone («Войти» after signing in) or cannot be focused (buttons in
      // Safari).
      if (document.activeElement !== document.body) return;
      const back = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector<HTMLElement>("main");
      back?.focus({ preventScroll: true });
    };
  }, [isOpen]);

  // The browser may close the dialog without a call (a second Escape, Android's back gesture).
  useEffect(() => {
    const dialog = box.current;
    if (!dialog || !isOpen) return;
    const onNativeClose = () => {
      if (!isClosedHere.current) onClose();
    };
    dialog.addEventListener("close", onNativeClose);
    return () => dialog.removeEventListener("close", onNativeClose);
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
      onFocus={({ target }) => {
        if (target !== box.current) lastFocused.current = target;
      }}
      onKeyDown={(event) => {
        if (event.key !== "Tab" || !box.current) return;
        // Without this, Tab after the last element moves to the browser's toolbar.
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
