import type { ReactNode } from "react";

/** The keys of the selected rows of a list. */
export type Selection = { picked: ReadonlySet<string>; onChange: (picked: ReadonlySet<string>) => void };

/** The actions for the selected rows, at the bottom of the screen; hidden while none is selected. */
export function BulkBar({ selection, summary, children }: { selection: Selection; summary?: ReactNode; children: ReactNode }) {
  const count = selection.picked.size;
  if (count === 0) return null;
  return (
    <section className="bulk" aria-label="Действия с выбранными">
      <p>
        <b className="strong">Выбрано {count}</b> {summary ? <span className="muted number">{summary}</span> : null}
      </p>
      {children}
      <button className="button button--quiet" type="button" onClick={() => selection.onChange(new Set())}>
        Снять <kbd>Esc</kbd>
      </button>
    </section>
  );
}
