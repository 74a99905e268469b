/** The message for a field of a line: the server names it `lines.0.quantity`, or `0.coin` in a rule about all lines. */
export const lineError = (fields: Readonly<Record<string, string>>, index: number, name: string): string | null =>
  fields[`lines.${index}.${name}`] ?? fields[`${index}.${name}`] ?? null;
