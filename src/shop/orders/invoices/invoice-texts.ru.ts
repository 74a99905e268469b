import { plural, priceText } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";

/** Texts of an invoice. */

const units = [
  [
    "ноль",
    "один",
    "два",
    "три",
    "четыре",
    "пять",
    "шесть",
    "семь",
    "восемь",
    "девять",
    "десять",
    "одиннадцать",
    "двенадцать",
    "тринадцать",
    "четырнадцать",
    "пятнадцать",
    "шестнадцать",
    "семнадцать",
    "восемнадцать",
    "девятнадцать",
  ],
  ["", "", "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто"],
  ["", "сто", "двести", "триста", "четыреста", "пятьсот", "шестьсот", "семьсот", "восемьсот", "девятьсот"],
] as const;
type Forms = readonly [one: string, few: string, many: string];
const roubleForms: Forms = ["рубль", "рубля", "рублей"];
/** Thousands are feminine: «одна тысяча», «две тысячи». */
const groups: readonly { forms: Forms; isFeminine: boolean }[] = [
  { forms: ["миллиард", "миллиарда", "миллиардов"], isFeminine: false },
  { forms: ["миллион", "миллиона", "миллионов"], isFeminine: false },
  { forms: ["тысяча", "тысячи", "тысяч"], isFeminine: true },
];

function belowThousand(n: number, isFeminine: boolean): string[] {
  const [hundreds, rest] = [Math.trunc(n / 100), n % 100];
  const small = rest < 20 ? [rest] : [Math.trunc(rest / 10) * 10, rest % 10];
  const words = small
    .filter((each) => each > 0)
    .map((each) => {
      if (each >= 20) return units[1][each / 10] ?? "";
      return isFeminine && each === 1 ? "одна" : isFeminine && each === 2 ? "две" : (units[0][each] ?? "");
    });
  return hundreds > 0 ? [units[2][hundreds] ?? "", ...words] : words;
}

/** «Сорок пять тысяч сто двадцать три рубля 50 копеек»; below a trillion roubles. */
export function sumInWords(amount: Kopecks): string {
  const roubles = Math.trunc(amount / 100);
  const cents = amount % 100;
  const words = groups.flatMap(({ forms, isFeminine }, index) => {
    const group = Math.trunc(roubles / 1000 ** (groups.length - index)) % 1000;
    return group === 0 ? [] : [...belowThousand(group, isFeminine), plural(group, forms)];
  });
  words.push(...belowThousand(roubles % 1000, false));
  if (words.length === 0) words.push(units[0][0]);
  const text = [
    ...words,
    plural(roubles, roubleForms),
    String(cents).padStart(2, "0"),
    plural(cents, ["копейка", "копейки", "копеек"]),
  ].join(" ");
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}

/** The purpose that the buyer enters in the transfer; it identifies the order. */
export const purposeOf = (number: number, vat: readonly { rate: number; amount: string }[]): string => {
  const included = vat.map(({ rate, amount }) => `НДС ${rate}% ${amount}`).join(", ");
  return `Оплата заказа № ${number}. ${vat.length === 0 ? "Без НДС" : `В том числе ${included}`}`;
};

export const invoiceWords = {
  title: (number: number, day: string) => `Счёт на оплату № ${number} от ${day}`,
  deadline: (moment: string) =>
    `Оплатите ${moment} по московскому времени: до этого монеты отложены для вас по зафиксированной цене. ` +
    "Назовите в назначении платежа номер заказа.",
  payee: "Получатель",
  inn: "ИНН",
  kpp: "КПП",
  account: "Счёт №",
  bank: "Банк получателя",
  bic: "БИК",
  corrAccount: "Корр. счёт №",
  purpose: "Назначение платежа",
  seller: "Продавец",
  buyer: "Покупатель",
  columns: ["№", "Наименование", "Кол-во", "Цена, ₽", "НДС", "Сумма, ₽"],
  noVat: "без НДС",
  vatRate: (rate: number) => `${rate}%`,
  promo: (code: string) => `Скидка по промокоду ${code}, учтена в ценах`,
  total: "Итого",
  vatTotal: (rate: number) => `в том числе НДС ${rate}%`,
  withoutVat: "НДС не облагается",
  received: "Уже поступило",
  missing: "Осталось оплатить",
  toPay: "К оплате",
  dropped: (pieces: readonly { title: string; quantity: number; sum: Kopecks }[]) =>
    "После оплаты из заказа убрали: " +
    pieces.map(({ title, quantity, sum }) => `${title}, ${quantity} шт. на ${priceText(sum)}`).join("; ") +
    ". Деньги за это возвращаем отдельно.",
  deliveryLater: "Стоимость доставки рассчитает менеджер, она не входит в счёт.",
  paid: "Счёт оплачен.",
  scan: "Код для приложения банка: реквизиты, сумма и назначение заполнятся сами.",
} as const;
