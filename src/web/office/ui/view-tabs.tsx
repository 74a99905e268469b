import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { Count } from "../shell/counts.ts";

/** A saved view: what it puts into the address. */
export type View = {
  id: string;
  label: string;
  count?: Count;
  /** The filter of a view that a person saved, as parameters of the address. */
  filter?: Readonly<Record<string, string>>;
};

/** The address of a view: its id, and the filter that it was saved with. */
const viewAddress = (id: string, filter: View["filter"]): URLSearchParams => new URLSearchParams({ ...filter, view: id });

/** Scrolls a chosen tab into a row that is wider than the screen. */
export const intoView = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: "nearest", inline: "nearest" });

/** Views of a list as tabs; the chosen one is `view` in the address, and a change of it forgets the place in the list. */
export function ViewTabs({
  label,
  views,
  onSave,
  end,
}: {
  label: string;
  views: readonly View[];
  onSave?: () => void;
  /** What can be done with the chosen view. */
  end?: ReactNode;
}) {
  const [params] = useSearchParams();
  const chosen = params.get("view") ?? views[0]?.id;
  return (
    <nav className="tabs" aria-label={label}>
      {views.map(({ id, label, count, filter }) => (
        <Link
          key={id}
          ref={id === chosen ? intoView : null}
          to={{ search: id === views[0]?.id ? "" : `?${viewAddress(id, filter)}` }}
          aria-current={id === chosen ? "page" : undefined}
        >
          {label}
          {count ? <span className={count.isTrouble ? "number warn" : "number"}>{count.text}</span> : null}
        </Link>
      ))}
      {onSave ? (
        <button className="muted" type="button" onClick={onSave}>
          Сохранить вид
        </button>
      ) : null}
      {end}
    </nav>
  );
}
