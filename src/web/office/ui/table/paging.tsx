import type { ReactNode } from "react";
import { Icon } from "../icon.tsx";

export type PagingProps = {
  text?: ReactNode;
  /** Null: this is the first page. */
  newer: (() => void) | null;
  /** Null: this is the last page. */
  older: (() => void) | null;
  /** Labels of the two buttons where rows are not ordered by age. */
  names?: readonly [string, string];
};

/** The two buttons below a list with keyset pages. */
export const Paging = ({ text, newer, older, names = ["Новее", "Старее"] }: PagingProps) => (
  <div className="paging">
    <span>{text}</span>
    <nav aria-label="Страницы">
      <button className="button button--small" type="button" disabled={!newer} onClick={() => newer?.()}>
        <Icon name="left" size="small" /> {names[0]}
      </button>
      <button className="button button--small" type="button" disabled={!older} onClick={() => older?.()}>
        {names[1]} <Icon name="right" size="small" />
      </button>
    </nav>
  </div>
);
