import type { LabelState } from "#shop/delivery/labels/label.ts";
import type { ShipmentState } from "#shop/delivery/shipment.ts";
import type { PostponeReason, WrongPiece } from "#shop/packing/packing.ts";

export const reasonNames: Record<PostponeReason, string> = {
  missing: "монеты нет на полке",
  defect: "монета с дефектом",
  other: "отложен",
};

/** Why a piece does not go into the parcel, for the packer who holds it. */
export const wrongPieceText = (why: WrongPiece, title: string | null): string => {
  switch (why) {
    case "unknown":
      return "Такого кода нет. Проверьте монету и отметьте её пальцем";
    case "not_in_order":
      return `Не та монета: ${title ?? "её"} нет в этом заказе. Уберите её`;
    case "enough":
      return `Лишняя: ${title ?? "этой монеты"} уже достаточно. Уберите её`;
    case "shared":
      return `По этому номеру двор не определить: ${title ?? "монета"}. Сверьте двор и отметьте пальцем`;
  }
};

/** Parcels of which the carrier prints no label, by the state that they came to. */
const parcelFaults: Readonly<Partial<Record<ShipmentState, string>>> = {
  invalid: "СДЭК отклонил посылку",
  called_off: "посылку отозвали у СДЭК",
  not_delivered: "посылка едет обратно",
  delivered: "посылка уже вручена",
};
const parcelFault = (fault: string | null): string | undefined => (parcelFaults as Readonly<Record<string, string>>)[fault ?? ""];

/** Why a file of labels failed: the state of a parcel, a parcel that was packed again, or the carrier's own code. */
export function labelFaultText(fault: string | null): string {
  if (fault === "repacked") return "посылку собрали заново, у неё другая этикетка";
  return parcelFault(fault) ?? (fault ? `СДЭК ответил отказом, код ${fault}` : "СДЭК ответил отказом");
}

const again = "Напечатайте ещё раз с карточки заказа или с экрана партии";
export const unknownLabelText = `Такого файла этикеток нет. ${again}`;

/** What the window of labels says of a file that will not come; null: it may still come. */
export function labelEndText({ state, fault }: { state: LabelState; fault: string | null }): string | null {
  if (state === "expired") return `Файл этикеток хранится недолго и уже удалён. ${again}`;
  if (state !== "failed") return null;
  const isLeftOut = parcelFault(fault) !== undefined;
  return `Файл не напечатан: ${labelFaultText(fault)}. ${again}${isLeftOut ? ": такой заказ в файл не войдёт" : ""}`;
}

/** Names the orders that have no label, each with its reason. */
export const leftOutText = (orders: readonly { number: number | null; reason: string }[]): string =>
  `Без этикетки: ${orders.map(({ number, reason }) => (number === null ? reason : `заказ ${number}, ${reason}`)).join("; ")}`;

/** Opens a document of the office in the window of labels, which is used again. */
export const openDocument = (path: string): boolean => window.open(path, "office-papers") !== null;
