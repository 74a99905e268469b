/**
 * Marks changes as unsaved that are not in a field: rows that were added, removed or moved by a button, and fields of collapsed rows.
 * `value` is compared, as JSON, with `stored`.
 */
export function UnsavedMark({ value, stored }: { value: unknown; stored: unknown }) {
  const now = JSON.stringify(value);
  return <span hidden data-unsaved={now === JSON.stringify(stored) ? undefined : now} />;
}
