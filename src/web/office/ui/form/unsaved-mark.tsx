/**
 * Counts as unsaved what no field holds: rows that were added, removed or moved by a button, and fields of rows that are closed again.
 * `value` is compared, as JSON, with `stored`.
 */
export function UnsavedMark({ value, stored }: { value: unknown; stored: unknown }) {
  const now = JSON.stringify(value);
  return <span hidden data-unsaved={now === JSON.stringify(stored) ? undefined : now} />;
}
