import { fromRoubles } from "#kit/money.ts";
import { dayText } from "../money/words.ts";
import { moneyInField } from "../ui/form/money.ts";
import { stateTexts, type StockCoin, type StockDocumentView } from "./words.ts";

/** A line of a draft as it is typed. */
export type Line = { coin: StockCoin; quantity: string; cost: string };

export const linesOf = (document: StockDocumentView | null): Line[] =>
  document?.lines.map(({ coin, quantity, unitCost }) => ({
    coin,
    quantity: quantity === 0 ? "" : String(quantity),
    cost: unitCost == null ? "" : moneyInField(fromRoubles(unitCost)),
  })) ?? [];

export type DraftFields = { supplier: string; number: string; date: string | null; note: string; lines: readonly Line[] };

const lineText = (line: Line | undefined): string => {
  if (!line) return "нет";
  return (
    [line.quantity === "" ? "" : `${line.quantity} шт.`, line.cost === "" ? "" : `по ${line.cost} ₽`].filter(Boolean).join(" ") || "есть"
  );
};

/** Where the draft that is typed differs from the one that a colleague stored meanwhile: each field, and each coin. */
export function draftDifferences(yours: DraftFields, current: StockDocumentView): { label: string; yours: string; current: string }[] {
  const theirs = linesOf(current);
  const coins = new Map([...theirs, ...yours.lines].map(({ coin }) => [coin.id, coin]));
  const lineIn = (lines: readonly Line[], id: number) => lineText(lines.find(({ coin }) => coin.id === id));
  return [
    { label: "Поставщик", yours: yours.supplier, current: current.supplier },
    { label: "Номер накладной", yours: yours.number, current: current.number },
    { label: "От", yours: yours.date ? dayText(yours.date) : "", current: current.date ? dayText(current.date) : "" },
    { label: "Примечание", yours: yours.note, current: current.note },
    ...[...coins.values()].map(({ id, title, code }) => ({
      label: `${title} ${code}`,
      yours: lineIn(yours.lines, id),
      current: lineIn(theirs, id),
    })),
    { label: "Состояние", yours: stateTexts.draft, current: stateTexts[current.state] },
  ].filter((field) => field.yours !== field.current);
}
