import { dayAndTime } from "#kit/format.ts";
import type { AccountLetterData } from "./account-letter.ts";
import type { Letter, LetterSection } from "./letter.ts";
import { signatureOf, type Sender } from "./texts.ru.ts";

/** Letters about the account itself. They contain no links that grant access. */
export function accountLetter({ kind, at }: AccountLetterData, sender: Sender): Letter {
  const when = `${dayAndTime(at)} по московскому времени`;
  const content =
    kind === "new_device"
      ? {
          subject: "Вход в кабинет с нового устройства",
          text: [
            `В ваш кабинет вошли с нового устройства: ${when}. ` +
              "До этого кабинетом не пользовались больше полугода, поэтому пишем на всякий случай.",
            "Если это были вы, ничего делать не нужно.",
            "Если не вы — возможно, ваш прежний номер телефона достался другому человеку. " +
              "Напишите нам или позвоните: закроем вход и сменим номер в кабинете.",
          ],
        }
      : {
          subject: "Кабинет удалён",
          text: [
            `Ваш кабинет удалён: ${when}. Имя, почта, адреса, избранное и оповещения стёрты.`,
            "Данные выполненных заказов закон велит хранить пять лет, после этого обезличим и их.",
            "Если удаляли не вы, сразу напишите нам или позвоните.",
          ],
        };
  const sections: LetterSection[] = [
    ...["Здравствуйте!", ...content.text].map((text) => ({ kind: "text" as const, text })),
    signatureOf(sender),
  ];
  return { subject: `${content.subject} — ${sender.shopName}`, sections };
}
