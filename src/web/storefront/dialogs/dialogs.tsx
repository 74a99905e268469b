import { useCallback, useEffect, useSyncExternalStore, type ComponentType } from "react";
import { useLocation } from "react-router";
import { isRouterBusy, routerState } from "#web/router-state.ts";
import type { DialogChunks, DialogName, DialogProps, OpenDialogProps } from "./dialog-props.ts";
import { say } from "../../ui/toasts.tsx";

let chunks: DialogChunks | null = null;
/** Says where the dialogs are loaded from; before the first of them opens. */
export function registerDialogs(all: DialogChunks): void {
  chunks = all;
}
// In the browser only. Not `lazy`: what cannot be had now, because the connection is gone, is asked for again at the next press, and takes no page along.
const components: Partial<Record<DialogName, ComponentType<OpenDialogProps>>> = {};

async function load(name: DialogName): Promise<void> {
  if (components[name]) return;
  try {
    const chunk = (await chunks?.[name]()) as { default: ComponentType<OpenDialogProps> } | undefined;
    if (!chunk) return await new Promise(() => {}); // `lost-chunk.ts` is loading the page anew
    components[name] = chunk.default;
  } catch (error) {
    // A style sheet that stands in the head is taken for loaded, also when it did not come: the next try asks for it anew.
    for (const sheet of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]"))
      if (String(error).includes(sheet.href)) sheet.remove();
    throw error;
  }
}

/** `isAhead`: it was opened while an earlier press was still on its way to another address of this page. */
type Shown = { name: DialogName; props: DialogProps[DialogName]; isOpen: boolean; key: number; isAhead: boolean };

/** Long enough for the leaving fade (`--out`) to end before the box is unmounted. */
const fadeMs = 250;

// One dialog at a time, in the browser only: on the server all are closed.
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

/** Loads a dialog's code ahead of the click: for `onPointerEnter` and `onFocus` of its button. One that does not come is asked for again by `openDialog`. */
export function warmDialog(name: DialogName): void {
  load(name).catch(() => undefined);
}

/** What a dialog would have said stands at the edge of the page when the dialog itself cannot be had. */
const wordsOf = (props: object): string =>
  "message" in props && typeof props.message === "string" ? props.message : "Окно не открылось. Проверьте связь и попробуйте ещё раз";

/** Opens a dialog, in place of another one if there is one. It gets an entry in the browser's history, so that Back closes it. */
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
      say(wordsOf(props), "refusal");
    },
  );
}

/** Opens a dialog that nobody asked for: it waits until the one in use is closed. */
export function openDialogWhenFree<N extends DialogName>(name: N, props: DialogProps[N]): void {
  if (shown) waiting = () => openDialog(name, props);
  else openDialog(name, props);
}

/** Closes the open dialog and gives its history entry back; resolves when the page may navigate elsewhere. */
export function closeDialog(): Promise<void> {
  if (!shown?.isOpen) return Promise.resolve();
  hide();
  if (!isDialogEntry(history.state)) return Promise.resolve();
  return new Promise((resolve) => {
    left = resolve;
    history.back();
  });
}

/** Closes the open dialog because a link in it leads to another page: its entry stays below that page's, and Back passes over it. */
export const leaveDialog = (): void => hide();

const isDialogEntry = (state: unknown): boolean => typeof state === "object" && state !== null && "dialog" in state;

/** Runs before the router's own listener: an entry that only stands for a dialog is no navigation. */
function onPopState(event: PopStateEvent): void {
  const at = routerState()?.location;
  if (left) {
    event.stopImmediatePropagation();
    left();
    left = null;
  } else if (isDialogEntry(event.state) && at && at.pathname + at.search !== location.pathname + location.search) {
    event.stopImmediatePropagation();
    history.back(); // from where a link inside the dialog led: the page itself is one entry before
  } else if (shown?.isOpen && location.href === openedAt) {
    event.stopImmediatePropagation();
    hide();
  } else if (isDialogEntry(event.state)) {
    event.stopImmediatePropagation(); // Forward onto a dialog that was closed.
  }
}
if (typeof window !== "undefined") window.addEventListener("popstate", onPopState, { capture: true });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The place where dialogs appear; mounted once, by the frame. */
export function DialogHost() {
  const current = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  const { key } = useLocation();
  const close = useCallback(() => void closeDialog(), []);

  // A link inside a dialog leads to another page: the dialog stays behind. A list that was asked for before the dialog was opened takes nothing away.
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
