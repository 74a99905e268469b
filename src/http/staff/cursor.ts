/**
 * The number after which a page begins, from the cursor of a call. Null: the first page, also for a cursor that is not a number.
 * `digits`: how many the column can hold; 9 for an integer of four bytes.
 */
export function readNumberCursor(cursor: string | undefined, digits = 15): number | null {
  if (cursor === undefined || cursor.length > digits || !/^\d+$/.test(cursor)) return null;
  return Number(cursor);
}
