type Option = readonly [value: string, text: string];

/**
 * What a list offers for a stored value. `items`: what can be chosen; null while it is loaded. A value that is not among them stays
 * chosen and says so. `none`: the words for no value, always offered with `isOptional`.
 */
export function optionsWith(
  value: string,
  items: readonly Option[] | null,
  { gone, none, isOptional = false }: { gone: string; none: string; isOptional?: boolean },
): Option[] {
  const isListed = value === "" || items?.some(([each]) => each === value) === true;
  const kept: Option = [value, items === null ? value : `${value} — ${gone}`];
  return [...(isOptional || value === "" ? [["", none] as const] : []), ...(isListed ? [] : [kept]), ...(items ?? [])];
}
