export type Colleague = { login: string; name: string };

/** The choices of the filter «Ведёт». `chosen`: from the address, maybe a colleague to whom orders are no longer assigned. */
export function assigneeOptions(
  colleagues: readonly Colleague[],
  own: string,
  chosen: string | null,
): (readonly [value: string, text: string])[] {
  const options = [
    ["", "любой"],
    ["nobody", "никто"],
    [own, "вы"],
    ...colleagues.filter(({ login }) => login !== own).map(({ login, name }) => [login, name] as const),
  ] as const;
  return chosen === null || options.some(([value]) => value === chosen) ? [...options] : [...options, [chosen, chosen]];
}
