import { useCallback, useEffect, useSyncExternalStore, type ComponentType } from "react";
import { useLocation } from "react-router";
import { isRouterBusy, routerState } from "#web/client/router-state.ts";
import type { DialogChunks, DialogName, DialogProps, OpenDialogProps } from "./dialog-props.ts";
import { showToast } from "../../ui/toasts.tsx";

let chunks: DialogChunks | null = null;
/** Registers where the dialogs are loaded from; call it before the first one opens. */
export function registerDialogs(all: DialogChunks): void {
  chunks = all;
}
// In the browser only. Not `React.lazy`: a chunk that did not load offline is requested again at the next press, and the page stays.
const components: Partial<Record<DialogName, ComponentType<OpenDialogProps>>> = {};

async function load(name: DialogName): Promise<void> {
  if (components[name]) return;
  try {
    const chunk = (await chunks?.[name]()) as { default: ComponentType<OpenDialogProps> } | undefined;
    if (!chunk) return await new Promise(() => {}); // `lost-chunk.ts` is reloading the page
    components[name] = chunk.default;
  } catch (error) {
    // Vite treats a style sheet in the head as loaded even if it failed: removed, it is requested again.
    for (const sheet of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]"))
      if (String(error).includes(sheet.href)) sheet.remove();
    throw error;
  }
}

/** `isAhead`: opened while an earlier press was still changing the URL of this page. */
type Shown = { name: DialogName; props: DialogProps[DialogName]; isOpen: boolean; key: number; isAhead: boolean };

/** Long enough for the fade-out (`--out`) before the dialog is unmounted. */
const fadeMs = 250;

// One dialog at a time, in the browser only: on the server none is open.
let shown: Shown | null = null;
let opened = 0;
let openedAt = "";
let left: (() => void) | null = null;
let waiting: (() => void) | null = null;
const listeners = new Set<() => void>();

function show(next: Shown | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

function hide(): void {
  const leaving = shown;
  if (!leaving?.isOpen) return;
  show({ ...leaving, isOpen: false });
  setTimeout(() => {
    if (shown?.key !== leaving.key) return;
    show(null);
    const open = waiting;
    waiting = null;
    open?.();
  }, fadeMs);
}

/**
 * Loads the code of a dialog before the click: for `onPointerEnter` and `onFocus` of its button. A failure is ignored; `openDialog` tries
 * again.
 */
export function preloadDialog(name: DialogName): void {
  load(name).catch(() => undefined);
}

/** The text of the toast that replaces a dialog whose code did not load. */
const fallbackText = (props: object): string =>
  "message" in props && typeof props.message === "string" ? props.message : "Окно не открылось. Проверьте связь и попробуйте ещё раз";

/** Opens a dialog, replacing an open one. It gets an entry in the browser's history, so that Back closes it. */
export function openDialog<N extends DialogName>(name: N, props: DialogProps[N]): void {
  const isFirst = !shown?.isOpen;
  opened += 1;
  if (isFirst) {
    openedAt = location.href;
    history.pushState({ ...history.state, dialog: name }, "");
  }
  const key = opened;
  show({ name, props, isOpen: true, key, isAhead: isFirst && isRouterBusy() });
  if (components[name]) return;
  load(name).then(
    () => {
      if (shown) show({ ...shown });
    },
    () => {
      if (shown?.key !== key) return;
      void closeDialog();
      showToast(fallbackText(props), "refusal");
    },
  );
}

/** Opens a dialog that the visitor did not open: it waits until the open one is closed. */
export function openDialogWhenFree<N extends DialogName>(name: N, props: DialogProps[N]): void {
  if (shown) waiting = () => openDialog(name, props);
  else openDialog(name, props);
}

/** Closes the open dialog and removes its history entry; resolves when the page may navigate. */
export function closeDialog(): Promise<void> {
  if (!shown?.isOpen) return Promise.resolve();
  hide();
  if (!isDialogEntry(history.state)) return Promise.resolve();
  return new Promise((resolve) => {
    left = resolve;
    history.back();
  });
}

/** Closes the open dialog because a link in it leads to another page. Its history entry stays below that page's; Back skips it. */
export const leaveDialog = (): void => hide();

const isDialogEntry = (state: unknown): boolean => typeof state === "object" && state !== null && "dialog" in state;

/** Runs before the router's listener: a history entry of a dialog is not a navigation. */
function onPopState(event: PopStateEvent): void {
  const at = routerState()?.location;
  if (left) {
    event.stopImmediatePropagation();
    left();
    left = null;
  } else if (isDialogEntry(event.state) && at && at.pathname + at.search !== location.pathname + location.search) {
    event.stopImmediatePropagation();
    history.back(); // Back from the page that a link in the dialog opened: the page itself is one entry earlier
  } else if (shown?.isOpen && location.href === openedAt) {
    event.stopImmediatePropagation();
    hide();
  } else if (isDialogEntry(event.state)) {
    event.stopImmediatePropagation(); // Forward to a dialog that was closed.
  }
}
if (typeof window !== "undefined") window.addEventListener("popstate", onPopState, { capture: true });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Renders the open dialog; mounted once, by the frame. */
export function DialogHost() {
  const current = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  const { key } = useLocation();
  const close = useCallback(() => void closeDialog(), []);

  // Navigation to another page closes the dialog. A navigation within the page that began before the dialog opened does not.
  useEffect(
    () => () => {
      if (shown?.isAhead && location.pathname === new URL(openedAt).pathname) {
        shown.isAhead = false;
        openedAt = location.href;
        return;
      }
      waiting = null;
      hide();
    },
    [key],
  );

  const Named = current ? components[current.name] : undefined;
  if (!current || !Named) return null;
  return <Named key={current.key} {...current.props} isOpen={current.isOpen} onClose={close} />;
}
