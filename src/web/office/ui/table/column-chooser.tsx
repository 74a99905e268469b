import { useState } from "react";
import { Menu, MenuChoice } from "../menu.tsx";
import type { Column } from "./column.ts";

type Hideable = Pick<Column<never>, "key" | "head" | "isRowHead" | "isExtra">;

export type ColumnChoice = { isHidden: (column: Hideable) => boolean; toggle: (column: Hideable) => void };

/** The hidden columns of the list `name`, stored in the browser; `+` before a key means that an extra column was chosen. */
export function useColumnChoice(name: string | undefined): ColumnChoice {
  const storedAs = `office-columns-${name}`;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(name ? (localStorage.getItem(storedAs) ?? "").split(" ").filter(Boolean) : []),
  );
  const [isWide] = useState(() => matchMedia("(min-width: 1900px)").matches);
  const isHidden = ({ key, isExtra = false }: Hideable) => chosen.has(key) || (isExtra && !isWide && !chosen.has(`+${key}`));
  const toggle = (column: Hideable) => {
    const next = new Set(chosen);
    next.delete(column.key);
    next.delete(`+${column.key}`);
    next.add(isHidden(column) ? `+${column.key}` : column.key);
    localStorage.setItem(storedAs, [...next].join(" "));
    setChosen(next);
  };
  return { isHidden, toggle };
}

/** The menu that shows and hides columns; the column that names the row always stays. */
export const ColumnChooser = ({ columns, choice }: { columns: readonly Hideable[]; choice: ColumnChoice }) => (
  <Menu label="Столбцы" className="button button--quiet">
    {columns
      .filter(({ isRowHead }) => !isRowHead)
      .map((column) => (
        <MenuChoice key={column.key} isChosen={!choice.isHidden(column)} onPress={() => choice.toggle(column)}>
          {column.head}
        </MenuChoice>
      ))}
  </Menu>
);
