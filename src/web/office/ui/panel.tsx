import { useRef, type ReactNode } from "react";
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
 * The docked panel. Closing it with unsaved entries needs a confirmation. With `onSubmit` it is a form, which Ctrl Enter submits. With
 * `mainForm` its children are separate forms: Ctrl Enter submits the one that has the focus, else the one with this id. Escape closes the
 * panel when no field has the focus, unless `escape` binds the key to something else.
 */
export function Panel({
  title,
  foot,
  onClose,
  onSubmit,
  mainForm,
  escape,
  children,
}: {
  title: string;
  foot?: ReactNode;
  onClose: () => void;
  onSubmit?: () => void;
  mainForm?: string;
  escape?: Pick<KeyBinding, "label" | "run">;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  const ownForm = useRef<HTMLFormElement>(null);
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
        <h2>{title}</h2>
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
