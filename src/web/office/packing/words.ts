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

/** Opens a document of the office in the window of labels, which is used again. */
export const openDocument = (path: string): boolean => window.open(path, "office-papers") !== null;
