import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { useKeys, type KeyBinding } from "../shell/keys.ts";
import { Icon } from "./icon.tsx";
import { mayGiveUp } from "./form/unsaved.ts";

/** A screen with a panel docked at its right: the screen stays readable and usable. */
export function WithPanel({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  // The same elements with and without a panel, so that React does not remount the screen.
  return (
    <div className={panel ? "with-panel" : undefined}>
      <div className={panel ? "with-panel__screen" : undefined}>{children}</div>
      {panel}
    </div>
  );
}

/**
 * Moves the focus to the panel's heading when it opens, so that the next Tab reaches its fields: it stands at the end of the screen. A
 * field would take the letters that act on the screen. When the panel closes, the focus returns to what opened it.
 */
function usePanelFocus(panel: RefObject<HTMLElement | null>, heading: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  useEffect(() => {
    const at = document.activeElement;
    const opener = at instanceof HTMLElement && at !== document.body && !panel.current?.contains(at) ? at : null;
    // A field of the panel may have taken it already. The opener's menu returns the focus to its button after it has closed.
    const take = () => {
      if (!panel.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true });
    };
    if (takesFocus) take();
    return () => {
      // What had the focus inside the panel is gone, and the body has it.
      if (document.activeElement === document.body && opener?.isConnected) opener.focus({ preventScroll: true });
    };
  }, [panel, heading, takesFocus]);
}

/**
 * The docked panel. Closing it with unsaved entries needs a confirmation. With `onSubmit` it is a form, which Ctrl Enter submits. With
 * `mainForm` its children are separate forms: Ctrl Enter submits the one that has the focus, else the one with this id. Escape closes the
 * panel when no field has the focus, unless `escape` binds the key to something else. It takes the focus when it opens unless
 * `takesFocus` is false: panels that follow the current row of a queue.
 */
export function Panel({
  title,
  foot,
  onClose,
  onSubmit,
  mainForm,
  escape,
  takesFocus = true,
  children,
}: {
  title: string;
  foot?: ReactNode;
  onClose: () => void;
  onSubmit?: () => void;
  mainForm?: string;
  escape?: Pick<KeyBinding, "label" | "run">;
  takesFocus?: boolean;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  const ownForm = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  usePanelFocus(panel, heading, takesFocus);
  const close = async () => {
    if (await mayGiveUp(panel.current ?? undefined)) onClose();
  };
  const confirmForm = () => {
    const focused = document.activeElement?.closest("form");
    const main = mainForm === undefined ? ownForm.current : document.querySelector<HTMLFormElement>(`form[id="${mainForm}"]`);
    const form = focused && panel.current?.contains(focused) ? focused : main;
    form?.requestSubmit();
  };
  useKeys([
    { code: "Escape", ...(escape ?? { label: "Закрыть панель", run: () => void close() }) },
    ...(onSubmit || mainForm !== undefined ? [{ code: "Ctrl+Enter", label: "Подтвердить панель", run: confirmForm }] : []),
  ]);
  const inside = (
    <>
      <div className="panel__body">{children}</div>
      {foot ? <div className="panel__foot">{foot}</div> : null}
    </>
  );
  return (
    <aside className="panel" aria-label={title} ref={panel}>
      <div className="panel__head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button className="button button--quiet button--icon" type="button" aria-label="Закрыть" onClick={() => void close()}>
          <Icon name="close" size="small" />
        </button>
      </div>
      {mainForm === undefined ? (
        <form
          className="panel__form"
          ref={ownForm}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit?.();
          }}
        >
          {inside}
        </form>
      ) : (
        <div className="panel__form">{inside}</div>
      )}
    </aside>
  );
}
