import { cloneElement, useEffect, useRef, useState, type ReactElement, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useKeys, type KeyBinding } from "../../shell/keys.ts";
import { Icon } from "../icon.tsx";
import { Notice } from "../marks.tsx";
import { Menu, MenuChoice } from "../menu.tsx";

export type Column<Row> = {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for numbers. */
  isRight?: boolean;
  /** The column that names the row. */
  isRowHead?: boolean;
  /** Takes the remaining width and is cut with an ellipsis. */
  isCut?: boolean;
  /** Takes the remaining width and wraps: a list of changes. */
  isWrapped?: boolean;
  /** Takes no more than a third of a narrow list: names that people write themselves. */
  isBounded?: boolean;
  /** Hidden below 1361 px. */
  isWideOnly?: boolean;
  isHeadHidden?: boolean;
  /** Hidden below 1900 px unless it is chosen under «Столбцы». */
  isExtra?: boolean;
};

export type Selection = { picked: ReadonlySet<string>; onChange: (picked: ReadonlySet<string>) => void };

type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  /** Names a row for screen readers: «20-1168». */
  nameOf: (row: Row) => string;
  /** The screen that Enter opens for the current row. */
  pathOf?: (row: Row) => string;
  /** Called instead where rows open in a panel beside the list. */
  onOpen?: (row: Row) => void;
  /** Marks rows that need attention. */
  isTrouble?: (row: Row) => boolean;
  error?: string | null;
  onRetry?: () => void;
  /** The text of an empty list. */
  empty: ReactNode;
  selection?: Selection;
  /** Keys that act on the current row. */
  rowKeys?: readonly { code: string; label: string; run: (row: Row) => void }[];
  paging?: PagingProps;
  /** Lets columns be hidden; the choice is kept in the browser under this name. */
  chooserKey?: string;
  /** The filters above the table; the column chooser is put at their end. */
  bar?: ReactElement<{ end?: ReactNode }>;
  isTight?: boolean;
};

/**
 * A list with a sticky head and keyset pages. J and K move through the rows, Enter opens the current one, X selects it.
 */
export function DataTable<Row>(props: TableProps<Row>) {
  const {
    caption,
    rows,
    keyOf,
    nameOf,
    pathOf,
    onOpen,
    isTrouble,
    error,
    onRetry,
    empty,
    selection,
    rowKeys = [],
    paging,
    chooserKey,
    isTight,
  } = props;
  const navigate = useNavigate();
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [isHidden, toggleColumn] = useHiddenColumns(chooserKey);
  const columns = props.columns.filter((column) => !isHidden(column));
  const shown = rows ?? [];
  const position = shown.findIndex((row) => keyOf(row) === current);
  const at = shown[position];
  const walk = (step: number) => {
    const index = Math.min(Math.max(position + step, 0), shown.length - 1);
    const next = shown[index];
    if (!next) return;
    setCurrent(keyOf(next));
    // The focus follows, so that Enter opens this row and not the element that had the focus before.
    const opener = body.current?.rows[index]?.querySelector<HTMLElement>("th a, th button");
    if (opener) opener.focus({ preventScroll: true });
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  const open = (row: Row | undefined) => {
    if (row && pathOf) void navigate(pathOf(row));
    else if (row) onOpen?.(row);
  };
  useEffect(() => {
    // Under the sticky head and the bulk bar: `scroll-margin` of the rows keeps them clear.
    body.current?.querySelector(".is-current")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const pick = (key: string, isPicked: boolean) => {
    const next = new Set(selection?.picked);
    if (isPicked) next.add(key);
    else next.delete(key);
    selection?.onChange(next);
  };
  const keys: KeyBinding[] = [
    { code: "KeyJ", label: "Ниже по списку", run: () => walk(1) },
    { code: "KeyK", label: "Выше по списку", run: () => walk(-1) },
    ...(pathOf || onOpen ? [{ code: "Enter", label: "Открыть", run: () => open(at) }] : []),
    ...(selection
      ? [
          { code: "KeyX", label: "Выбрать строку", run: () => at && pick(keyOf(at), !selection.picked.has(keyOf(at))) },
          { code: "Escape", label: "Снять выбор", run: () => selection.onChange(new Set()) },
        ]
      : []),
    ...rowKeys.map(({ code, label, run }) => ({ code, label, run: () => at && run(at) })),
  ];
  useKeys(keys, shown.length > 0);
  const chooser = chooserKey ? (
    <Menu label="Столбцы" className="button button--quiet">
      {props.columns
        .filter(({ isRowHead }) => !isRowHead)
        .map((column) => (
          <MenuChoice key={column.key} isChosen={!isHidden(column)} onPress={() => toggleColumn(column)}>
            {column.head}
          </MenuChoice>
        ))}
    </Menu>
  ) : null;
  const span = columns.length + (selection ? 1 : 0);
  return (
    <>
      {props.bar ? (
        chooser ? (
          cloneElement(props.bar, { end: chooser })
        ) : (
          props.bar
        )
      ) : chooser ? (
        <div className="column-chooser">{chooser}</div>
      ) : null}
      <div className="table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table className={isTight ? "table table--tight table--list" : "table table--list"} aria-busy={rows === undefined && !error}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {selection ? (
                <th scope="col">
                  <input
                    className="check"
                    type="checkbox"
                    data-passing
                    aria-label="Выбрать все на странице"
                    checked={shown.length > 0 && shown.every((row) => selection.picked.has(keyOf(row)))}
                    onChange={(event) => selection.onChange(new Set(event.target.checked ? shown.map(keyOf) : []))}
                  />
                </th>
              ) : null}
              {columns.map(({ key, head, isRight, isWideOnly, isHeadHidden }) => (
                <th key={key} scope="col" className={classOf({ isRight, isWideOnly })}>
                  {isHeadHidden ? <span className="visually-hidden">{head}</span> : head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {shown.map((row) => {
              const key = keyOf(row);
              const isPicked = selection?.picked.has(key);
              return (
                <tr
                  key={key}
                  className={[isTrouble?.(row) ? "is-bad" : "", key === current ? "is-current" : ""].join(" ").trim() || undefined}
                  data-picked={isPicked || undefined}
                  onClick={() => setCurrent(key)}
                >
                  {selection ? (
                    <td>
                      <input
                        className="check"
                        type="checkbox"
                        data-passing
                        aria-label={`Выбрать ${nameOf(row)}`}
                        checked={isPicked ?? false}
                        onChange={(event) => pick(key, event.target.checked)}
                      />
                    </td>
                  ) : null}
                  {columns.map(({ key: column, cell, isRowHead, ...look }) =>
                    isRowHead ? (
                      <th key={column} scope="row" className={classOf(look)}>
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={column} className={classOf(look)}>
                        {cell(row)}
                      </td>
                    ),
                  )}
                </tr>
              );
            })}
            {rows === undefined && !error ? (
              <tr>
                <td className="table__state" colSpan={span}>
                  <span role="status">Загружаем…</span>
                </td>
              </tr>
            ) : null}
            {rows?.length === 0 && !error ? (
              <tr>
                <td className="table__state" colSpan={span}>
                  {empty}
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      {error ? (
        <Notice tone="warn">
          <p>
            {error}{" "}
            {onRetry ? (
              <button className="text-button" type="button" onClick={onRetry}>
                Повторить
              </button>
            ) : null}
          </p>
        </Notice>
      ) : null}
      {paging ? <Paging {...paging} /> : null}
    </>
  );
}

type PagingProps = {
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

type Look = Pick<Column<unknown>, "isRight" | "isCut" | "isWrapped" | "isBounded" | "isWideOnly">;
const classOf = ({ isRight, isCut, isWrapped, isBounded, isWideOnly }: Look): string | undefined =>
  [
    isRight ? "align-right" : "",
    isCut ? "truncated" : isWrapped ? "wrapped" : isBounded ? "bounded" : "nowrap",
    isWideOnly ? "hide-narrow" : "",
  ]
    .filter(Boolean)
    .join(" ");

type Hideable = Pick<Column<unknown>, "key" | "isExtra">;
/** The hidden columns of one list, stored in the browser; `+` before a key means that an extra column was chosen. */
function useHiddenColumns(name: string | undefined): [(column: Hideable) => boolean, (column: Hideable) => void] {
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
  return [isHidden, toggle];
}
