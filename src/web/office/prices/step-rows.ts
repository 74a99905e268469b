import { faultOf } from "#shop/pricing/steps/steps.ts";
import type { PriceStep } from "#shop/pricing/price.ts";
import { parsePoints, points } from "./words.ts";

/** A row of the form of steps, as typed. */
export type StepRow = { quantity: string; discount: string };
/** Messages beside the fields of the rows: `2.quantity`, `2.discountBp`. */
export type RowErrors = Readonly<Record<string, string>>;

const usual: readonly StepRow[] = ["5", "10", "20"].map((quantity) => ({ quantity, discount: "" }));

/** Stored steps with an empty row behind them, or the usual quantities. */
export function rowsOf(steps: readonly PriceStep[] | null | undefined): StepRow[] {
  const stored = steps?.map(({ quantity, discountBp }) => ({ quantity: String(quantity), discount: points(discountBp) })) ?? [];
  return stored.length > 0 ? [...stored, { quantity: "", discount: "" }] : [...usual];
}

const deepestBp = 5_000;
const maxPieces = 999;

/**
 * The steps that rows name; a row without a discount is none. `places`: the row of each step, since the server counts steps and the screen
 * shows rows.
 */
export function readRows(rows: readonly StepRow[]): { steps: PriceStep[]; places: number[]; errors: RowErrors } {
  const errors: Record<string, string> = {};
  const places = rows.flatMap(({ discount }, at) => (discount.trim() === "" ? [] : [at]));
  const steps = places.map((at) => {
    const { quantity, discount } = rows[at] ?? { quantity: "", discount: "" };
    const pieces = /^\d{1,6}$/.test(quantity.trim()) ? Number(quantity) : Number.NaN;
    const discountBp = parsePoints(discount) ?? Number.NaN;
    if (!(pieces >= 2 && pieces <= maxPieces)) errors[`${at}.quantity`] = `От 2 до ${maxPieces} штук`;
    if (!(discountBp > 0 && discountBp <= deepestBp)) errors[`${at}.discountBp`] = "Больше нуля и не больше 50, например 0,5";
    return { quantity: pieces, discountBp };
  });
  const fault = Object.keys(errors).length === 0 ? faultOf(steps) : null;
  if (fault) errors[`${places[fault.index]}.${fault.field}`] = fault.message;
  return { steps, places, errors };
}

/** The messages of the server about steps, beside the rows that they were sent from. */
export function rowErrors(fields: Readonly<Record<string, string>>, places: readonly number[]): RowErrors {
  const found = Object.entries(fields).flatMap(([name, message]) => {
    const [, index, field] = /^steps\.(\d+)\.(quantity|discountBp)$/.exec(name) ?? [];
    const place = places[Number(index)];
    return place === undefined ? [] : [[`${place}.${field}`, message] as const];
  });
  return Object.fromEntries(found);
}

/** `от 5 шт. −0,5 п. п.; от 10 шт. −1 п. п.` */
export function stepsInWords(steps: readonly PriceStep[] | null): string {
  if (steps === null) return "как у металла";
  return steps.map(({ quantity, discountBp }) => `от ${quantity} шт. −${points(discountBp)} п. п.`).join("; ") || "без ступеней";
}
