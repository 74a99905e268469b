/** What the list of groups of questions offers. `names`: the groups; null while they are loaded. */
export function groupOptions(value: string, names: readonly string[] | null, none?: string): (readonly [value: string, text: string])[] {
  const gone = value !== "" && names?.includes(value) === false ? `${value} — такого раздела нет` : value;
  const isListed = value === "" || names?.includes(value) === true;
  return [
    ...(none !== undefined || value === "" ? [["", none ?? "Не выбран"] as const] : []),
    ...(isListed ? [] : [[value, gone] as const]),
    ...(names ?? []).map((name) => [name, name] as const),
  ];
}
