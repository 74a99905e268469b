import type * as z from "zod";
import type { readSettings } from "#contract/staff/site/settings.ts";
import { number } from "#kit/format.ts";
import { formOf, settingKeys, type SettingField, type SettingKey } from "#shop/settings/forms.ts";

export type Group = z.output<(typeof readSettings)["answer"]>;
export type Values = Readonly<Record<string, unknown>>;
/** What was typed over a version of a group and not saved yet. */
export type SettingsDraft = { base: Group; values: Values };

export const isSettingKey = (text: string | undefined): text is SettingKey => settingKeys.some((key) => key === text);

export const weekdayNames = [
  ["Mon", "пн"],
  ["Tue", "вт"],
  ["Wed", "ср"],
  ["Thu", "чт"],
  ["Fri", "пт"],
  ["Sat", "сб"],
  ["Sun", "вс"],
] as const;

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ between two versions. */
export const changedFields = (before: Values, after: Values): string[] =>
  Object.keys(after).filter((name) => !isSame(before[name], after[name]));

/** A number as fields show it, `1 500,5`. */
export const numberInField = (value: unknown): string =>
  typeof value === "number" ? `${number(Math.trunc(value))}${fraction(value)}` : typeof value === "string" ? value : "";
const fraction = (value: number): string => {
  const [, parts] = `${value}`.split(".");
  return parts === undefined ? "" : `,${parts}`;
};

/** What was typed as a number; null: empty; the text itself when it is none, so that the server names the fault. */
export function parseNumber(text: string): number | string | null {
  const bare = text.replaceAll(/\s/g, "").replace(",", ".");
  if (bare === "") return null;
  return /^-?\d+(\.\d+)?$/.test(bare) ? Number(bare) : text;
}

const dayInWords = (day: string): string => day.split("-").toReversed().join(".");

/** A value of a field in words, for the history and for two versions side by side. */
export function inWords(field: SettingField | undefined, value: unknown): string {
  if (value === null || value === undefined || value === "") return field?.kind === "choice" ? choiceInWords(field, null) : "нет";
  switch (field?.kind) {
    case "number":
      return `${numberInField(value)} ${field.unit}`;
    case "flag":
      return value === true ? "да" : "нет";
    case "choice":
      return choiceInWords(field, value);
    case "weekdays":
      return weekdayNames
        .filter(([day]) => (value as string[]).includes(day))
        .map(([, name]) => name)
        .join(", ");
    case "dates":
      return (value as string[]).map(dayInWords).join(", ") || "нет";
    case "lines":
      return (value as string[]).join("; ") || "нет";
    case "rows":
      return (
        (value as Values[])
          .map((row) =>
            Object.entries(field.fields)
              .map(([name, each]) => inWords(each, row[name]))
              .join(" "),
          )
          .join("; ") || "нет"
      );
    default:
      return typeof value === "string" ? value : JSON.stringify(value);
  }
}

const choiceInWords = ({ options }: Extract<SettingField, { kind: "choice" }>, value: unknown): string =>
  options.find(([option]) => option === value)?.[1] ?? String(value);

/** The fields of a change in words: only those that differ. */
export const changeInWords = (key: SettingKey, before: Values, after: Values) =>
  changedFields(before, after).map((name) => {
    const field = formOf(key).fields[name];
    return { name, label: field?.label ?? name, before: inWords(field, before[name]), after: inWords(field, after[name]) };
  });
