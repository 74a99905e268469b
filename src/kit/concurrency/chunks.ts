/** Cuts a list into pieces of at most `size` items, in order: a statement takes no more than 65,535 parameters. */
export function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
