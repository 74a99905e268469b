import { messageTexts, staffEventTexts } from "#contract/staff/orders/order-texts.ru.ts";
import { priceText } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import { roles } from "#shop/staff/role.ts";
import { stateLabels as dealStates } from "../buyback/words.ts";
import { actLabels, stateLabels } from "../orders/words.ts";
import { conditionWords } from "../requests/words.ts";
import { actionName } from "./action-words.ts";
import { roleNames, when } from "./words.ts";

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Stored codes that say the same in every area. */
const codes: Readonly<Record<string, string>> = {
  open: "открыто",
  done: "сделано",
  draft: "черновик",
  posted: "проведён",
  reversed: "отменён",
  discarded: "отложен",
  scheduled: "по расписанию",
  running: "идёт",
  applied: "применено",
  checked: "проверено",
  published: "на сайте",
  received: "получено",
  in_work: "в работе",
  answered: "отвечено",
  closed: "закрыто",
  rejected: "отклонён",
  waiting: "ждёт",
  settled: "зачтено",
  to_return: "к возврату",
  not_ours: "не заказ",
};
const signInWays: Readonly<Record<string, string>> = {
  passkey: "ключ входа",
  password: "пароль",
  code: "код из приложения",
  recovery: "запасной код",
  demo: "кнопка демонстрации",
};
const receiptStates: Readonly<Record<string, string>> = {
  new: "ещё не отправлен",
  pending: "ждёт",
  succeeded: "пробит",
  canceled: "не пробит",
};
const printouts: Readonly<Record<string, string>> = { slips: "листы", labels: "этикетки" };

const wordOf = (words: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(words, value) ? (words[value] ?? value) : value;

/** The value of a stored field as people read it; what has no words is shown as it is stored. */
export function factText(action: string, name: string, value: string): string {
  if (value === "нет" || value === "да" || value === "") return value;
  if (instant.test(value)) return when(value);
  if (/^lines\.\d+\.condition$/.test(name)) return wordOf(conditionWords, value);
  switch (name) {
    case "kopecks":
    case "offerKopecks":
    case "checkedKopecks":
      return /^\d+$/.test(value) ? priceText(kopecks(Number(value))) : value;
    case "roles":
      return value
        .split(", ")
        .map((role) => (roles.some((each) => each === role) ? roleNames[role as keyof typeof roleNames] : role))
        .join(", ");
    case "event":
      return wordOf(
        { ...actLabels, ...staffEventTexts, recipient: actLabels.change_recipient, resend_parcel: actLabels.resend_parcel },
        value,
      );
    case "action":
      return actionName(value);
    case "by":
      return wordOf(signInWays, value);
    case "paper":
      return wordOf(printouts, value);
    case "kind":
      return wordOf(messageTexts, value);
    case "state":
      if (action.startsWith("receipt.")) return wordOf(receiptStates, value);
      if (action.startsWith("buyback.")) return wordOf(dealStates, value);
      return wordOf(action.startsWith("order.") || action.startsWith("packing.") ? { ...codes, ...stateLabels } : codes, value);
    default:
      return value;
  }
}
