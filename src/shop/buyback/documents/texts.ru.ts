import type { Metal } from "#shop/catalog/coin.ts";
import type { CoinCondition } from "#shop/inquiries/inquiry.ts";
import type { IdentityKind } from "../deal.ts";

/** Words of the contract of sale and act. */
export const contractWords = {
  title: (number: number) => `Договор купли-продажи и акт приёма-передачи № ${number}`,
  madeOn: (day: string) => `${day} · дата печати`,
  buyer: "Покупатель",
  seller: "Продавец",
  inn: "ИНН",
  born: "дата рождения",
  issued: "выдан",
  address: "адрес",
  account: "Счёт для выплаты",
  bik: "БИК",
  blank: "______________________",
  number: "№",
  coin: "Монета",
  metal: "Металл, проба",
  mass: "Чистая масса",
  condition: "Состояние",
  pieces: "Штук",
  price: "Цена, ₽",
  sum: "Сумма, ₽",
  total: (pieces: string, sum: string) => `Итого ${pieces} на сумму ${sum}`,
  terms: [
    "Продавец передал, а Покупатель принял в собственность монеты, перечисленные в таблице. " +
      "Количество, состояние и цена монет проверены и согласованы сторонами.",
    "Продавец подтверждает, что монеты принадлежат ему на праве собственности, не заложены, не арестованы и свободны от прав третьих лиц.",
    "Покупатель перечисляет сумму договора на счёт Продавца, указанный выше. Настоящий документ является актом приёма-передачи.",
  ],
  signature: "подпись, фамилия, дата",
} as const;

export const metalTexts: Record<Metal, string> = { gold: "золото", silver: "серебро" };
export const conditionTexts: Record<CoinCondition, string> = {
  perfect: "идеальное",
  good: "хорошее",
  fair: "удовлетворительное",
  damaged: "повреждённое",
};
export const identityTexts: Record<IdentityKind, string> = {
  passport: "паспорт гражданина РФ",
  foreign_passport: "иностранный паспорт",
  residence_permit: "вид на жительство",
  other: "документ",
};
