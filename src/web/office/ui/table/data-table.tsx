import { cloneElement, useEffect, useRef, useState, type ReactElement, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useKeys, type KeyBinding } from "../../shell/keys.ts";
import { Notice } from "../marks.tsx";
import type { Selection } from "./bulk-bar.tsx";
import { ColumnChooser, useColumnChoice } from "./column-chooser.tsx";
import { cellClass, type Column } from "./column.ts";
import { Paging, type PagingProps } from "./paging.tsx";

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
  const { caption, rows, keyOf, nameOf, isTrouble, error, onRetry, empty, selection, paging, chooserKey, isTight } = props;
  const choice = useColumnChoice(chooserKey);
  const columns = props.columns.filter((column) => !choice.isHidden(column));
  const shown = rows ?? [];
  const { body, current, setCurrent } = useRowKeys(props, shown);
  const span = columns.length + (selection ? 1 : 0);
  const isLoading = rows === undefined && !error;
  return (
    <>
      <TableBar bar={props.bar} chooser={chooserKey ? <ColumnChooser columns={props.columns} choice={choice} /> : null} />
      <div className="table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table className={isTight ? "table table--tight table--list" : "table table--list"} aria-busy={isLoading}>
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
                <th key={key} scope="col" className={cellClass({ isRight, isWideOnly })}>
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
                        onChange={(event) => pick(selection, key, event.target.checked)}
                      />
                    </td>
                  ) : null}
                  {columns.map((column) => (
                    <Cell key={column.key} column={column} row={row} />
                  ))}
                </tr>
              );
            })}
            {isLoading ? (
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

/** The filters with the column chooser at their end; without filters the chooser alone. */
function TableBar({ bar, chooser }: { bar: ReactElement<{ end?: ReactNode }> | undefined; chooser: ReactNode }) {
  if (bar) return chooser ? cloneElement(bar, { end: chooser }) : bar;
  return chooser ? <div className="column-chooser">{chooser}</div> : null;
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  return column.isRowHead ? (
    <th scope="row" className={cellClass(column)}>
      {column.cell(row)}
    </th>
  ) : (
    <td className={cellClass(column)}>{column.cell(row)}</td>
  );
}

function pick(selection: Selection, key: string, isPicked: boolean): void {
  const next = new Set(selection.picked);
  if (isPicked) next.add(key);
  else next.delete(key);
  selection.onChange(next);
}

/** The current row, which J and K move, and the keys that act on it. `body`: the element that has the rows. */
function useRowKeys<Row>({ keyOf, pathOf, onOpen, selection, rowKeys = [] }: TableProps<Row>, shown: readonly Row[]) {
  const navigate = useNavigate();
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const position = shown.findIndex((row) => keyOf(row) === current);
  const row = shown[position];
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
  const open = () => {
    if (row && pathOf) void navigate(pathOf(row));
    else if (row) onOpen?.(row);
  };
  useEffect(() => {
    // Under the sticky head and the bulk bar: `scroll-margin` of the rows keeps them clear.
    body.current?.querySelector(".is-current")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const keys: KeyBinding[] = [
    { code: "KeyJ", label: "Ниже по списку", run: () => walk(1) },
    { code: "KeyK", label: "Выше по списку", run: () => walk(-1) },
    ...(pathOf || onOpen ? [{ code: "Enter", label: "Открыть", run: open }] : []),
    ...(selection
      ? [
          { code: "KeyX", label: "Выбрать строку", run: () => row && pick(selection, keyOf(row), !selection.picked.has(keyOf(row))) },
          { code: "Escape", label: "Снять выбор", run: () => selection.onChange(new Set()) },
        ]
      : []),
    ...rowKeys.map(({ code, label, run }) => ({ code, label, run: () => row && run(row) })),
  ];
  useKeys(keys, shown.length > 0);
  return { body, current, setCurrent };
}
