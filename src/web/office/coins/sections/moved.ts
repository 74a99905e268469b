/** The list with the item at `index` moved one place down (1) or up (−1); at an end it stays. */
export function movedBy<T>(list: readonly T[], index: number, step: 1 | -1): T[] {
  const other = index + step;
  const [from, to] = [list[index], list[other]];
  return from === undefined || to === undefined ? [...list] : list.with(index, to).with(other, from);
}
