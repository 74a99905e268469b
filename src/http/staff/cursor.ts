/**
 * The number after which a page begins, from the cursor of a call. Null: the first page, also for a cursor that is not a number.
 * `digits`: how many the column can hold; 9 for an integer of four bytes.
 */
export function readNumberCursor(cursor: string | undefined, digits = 15): number | null {
  if (cursor === undefined || cursor.length > digits || !/^\d+$/.test(cursor)) return null;
  return Number(cursor);
}

/**
 * One page of a list, from rows of which one more than `size` was read. `next`: the cursor of the following page, made from the last row
 * shown; null: this is the last page.
 */
export function pageOf<Row>(
  size: number,
  rows: readonly Row[],
  placeOf: (row: Row) => string | number,
): { items: Row[]; next: string | null } {
  const items = rows.slice(0, size);
  const last = rows.length > size ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : String(placeOf(last)) };
}

/** The same with each row as `view` shows it. */
export function viewPage<Row, View>(
  size: number,
  rows: readonly Row[],
  view: (row: Row) => View,
  placeOf: (row: Row) => string | number,
): { items: View[]; next: string | null } {
  const { items, next } = pageOf(size, rows, placeOf);
  return { items: items.map((row) => view(row)), next };
}
