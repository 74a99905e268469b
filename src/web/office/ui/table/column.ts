import type { ReactNode } from "react";

/** A column of a `DataTable`. */
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

type Layout = Pick<Column<never>, "isRight" | "isCut" | "isWrapped" | "isBounded" | "isWideOnly">;

/** The classes of the cells of a column. */
export const cellClass = ({ isRight, isCut, isWrapped, isBounded, isWideOnly }: Layout): string =>
  [
    isRight ? "align-right" : "",
    isCut ? "truncated" : isWrapped ? "wrapped" : isBounded ? "bounded" : "nowrap",
    isWideOnly ? "hide-narrow" : "",
  ]
    .filter(Boolean)
    .join(" ");
