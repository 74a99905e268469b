import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { AreaCount } from "../../shell/counts.ts";

/** A view of a list: one tab. */
export type View = {
  id: string;
  label: string;
  count?: AreaCount;
  /** Of a view that a person saved: its filter, as parameters of the address. */
  filter?: Readonly<Record<string, string>>;
};

/** Scrolls the chosen tab into view where the tabs are wider than the screen. */
export const intoView = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: "nearest", inline: "nearest" });

/**
 * Views of a list as tabs. The chosen one is `view` in the address; choosing another removes all other parameters. Tabs within a view have
 * a parameter of their own, `param`; choosing another of them removes only the position in the list (`cursor`).
 */
export function ViewTabs({
  label,
  views,
  param = "view",
  onSave,
  end,
}: {
  label: string;
  views: readonly View[];
  param?: string;
  onSave?: () => void;
  /** Actions for the chosen view. */
  end?: ReactNode;
}) {
  const [params] = useSearchParams();
  const chosen = params.get(param) ?? views[0]?.id;
  const searchOf = (id: string, filter: View["filter"]): string => {
    const next = new URLSearchParams(param === "view" ? filter : params);
    next.delete("cursor");
    if (id === views[0]?.id) next.delete(param);
    else next.set(param, id);
    return next.toString();
  };
  return (
    <nav className="tabs" aria-label={label}>
      {views.map(({ id, label, count, filter }) => (
        <Link
          key={id}
          ref={id === chosen ? intoView : null}
          to={{ search: searchOf(id, filter) }}
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
