import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";

type Toast = { id: number; text: string; kind: "refusal" | "info" };

// In the browser only: on the server the list is always empty.
let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();
const none: readonly Toast[] = [];

function show(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Long enough to read a sentence twice. */
const lifeMs = 7000;

/** Shows a short message at the edge of the page. Screen readers announce it without moving the focus. */
export function showToast(text: string, kind: Toast["kind"] = "info"): void {
  made += 1;
  const id = made;
  show([...toasts.filter((toast) => toast.text !== text), { id, text, kind }].slice(-3));
  setTimeout(() => hide(id), lifeMs);
}

const hide = (id: number): void => show(toasts.filter((toast) => toast.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The present toasts; rendered once, by the frame. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <div key={id} className={kind === "refusal" ? "toast toast--refusal" : "toast"}>
          <p>{text}</p>
          <button className="tool" type="button" aria-label="Закрыть сообщение" onClick={() => hide(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
