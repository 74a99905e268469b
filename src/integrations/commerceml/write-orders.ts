import { cleanText } from "#kit/text/clean-text.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { add, kopecks, times, toDecimalString, type Kopecks } from "#kit/money.ts";
import type { AccountingLists, OrderForAccounting } from "#shop/exchange/accounting/accounting.ts";
import { toWindows1251 } from "./windows-1251.ts";

/** Orders as a file of CommerceML 2.05. */
export function writeOrders(list: readonly OrderForAccounting[], at: Date): Buffer {
  return file(
    `<КоммерческаяИнформация ВерсияСхемы="2.05" ДатаФормирования="${isoMoscow(at).slice(0, 19)}">`,
    ...list.map(documentOf),
    "</КоммерческаяИнформация>",
  );
}

/**
 * The answer to `info`. Exchange modules of sites write a Latin C in the name of the list of states (wc-exchange1c, opencart3-exchange1c and
 * others, 2026-11), some of them the Russian name; nothing says which one 1C reads, so both are sent.
 */
export function writeLists({ states, payments, deliveries }: AccountingLists): Buffer {
  const list = (name: string, entries: AccountingLists["states"]): string =>
    wrap(name, ...entries.map((entry) => wrap("Элемент", tag("Ид", entry.id), tag("Название", entry.name))));
  return file(
    "<Справочник>",
    list("Cтатусы", states),
    list("Статусы", states),
    list("ПлатежныеСистемы", payments),
    list("СлужбыДоставки", deliveries),
    "</Справочник>",
  );
}

/** In windows-1251: older releases do not read UTF-8 (tseka85/opencart3-exchange1c, issue 25). */
const file = (...lines: string[]): Buffer =>
  toWindows1251(['<?xml version="1.0" encoding="windows-1251"?>', ...lines].join("\n"), (letter) => `&#${letter.codePointAt(0) ?? 63};`);

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
const escaped = (text: string): string => cleanText(text).replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? "");
const tag = (name: string, text: string | number): string => `<${name}>${escaped(String(text))}</${name}>`;
const wrap = (name: string, ...parts: string[]): string => `<${name}>${parts.join("")}</${name}>`;
const requisite = (name: string, value: string): string => wrap("ЗначениеРеквизита", tag("Наименование", name), tag("Значение", value));
const money = (amount: Kopecks): string => toDecimalString(amount);
const flag = (value: boolean): string => (value ? "true" : "false");
const piece = '<БазоваяЕдиница Код="796" НаименованиеПолное="Штука" МеждународноеСокращение="PCE">шт</БазоваяЕдиница>';

function documentOf(order: OrderForAccounting): string {
  const [date = "", time = ""] = isoMoscow(order.createdAt).slice(0, 19).split("T");
  const { buyer } = order;
  return wrap(
    "Документ",
    tag("Ид", order.id),
    tag("Номер", order.number),
    tag("Дата", date),
    tag("ХозОперация", "Заказ товара"),
    tag("Роль", "Продавец"),
    tag("Валюта", "руб"),
    tag("Курс", 1),
    tag("Сумма", money(sumOf(order))),
    wrap(
      "Контрагенты",
      wrap(
        "Контрагент",
        tag("Ид", buyer.id),
        tag("Наименование", buyer.name),
        tag("ПолноеНаименование", buyer.name),
        tag("Роль", "Покупатель"),
        wrap("АдресРегистрации", tag("Представление", order.address)),
        wrap(
          "Контакты",
          wrap("Контакт", tag("Тип", "ТелефонРабочий"), tag("Значение", buyer.phone)),
          wrap("Контакт", tag("Тип", "Почта"), tag("Значение", buyer.email)),
        ),
      ),
    ),
    tag("Время", time),
    tag("Комментарий", `Заказ ${order.number} с сайта`),
    wrap("Товары", ...order.lines.map(lineOf), ...deliveryLine(order)),
    wrap(
      "ЗначенияРеквизитов",
      requisite("Метод оплаты", order.paymentName),
      requisite("Способ доставки", order.deliveryName),
      requisite("Заказ оплачен", flag(order.isPaid)),
      requisite("Доставка разрешена", flag(order.isPaid || order.state === "placed")),
      requisite("Отменен", flag(order.isCancelled)),
      requisite("Финальный статус", flag(order.state === "delivered" || order.state === "returned" || order.isCancelled)),
      requisite("Статус заказа", order.stateName),
      requisite("Статуса заказа ИД", order.state),
    ),
  );
}

/** Of the lines that are written: the total of an order stays when pieces leave it. */
const sumOf = ({ lines, deliveryPrice }: OrderForAccounting): Kopecks =>
  add(...lines.map(({ price, quantity }) => times(price, quantity)), deliveryPrice);

const lineOf = ({ guid, article, title, quantity, price }: OrderForAccounting["lines"][number]): string =>
  wrap(
    "Товар",
    tag("Ид", guid === "" ? `site-${article}` : guid),
    tag("Артикул", article),
    tag("Наименование", title),
    piece,
    tag("ЦенаЗаЕдиницу", money(price)),
    tag("Количество", quantity),
    tag("Сумма", money(times(price, quantity))),
    wrap("ЗначенияРеквизитов", requisite("ВидНоменклатуры", "Товар"), requisite("ТипНоменклатуры", "Товар")),
  );

const deliveryLine = ({ deliveryPrice, deliveryName }: OrderForAccounting): string[] =>
  deliveryPrice === kopecks(0)
    ? []
    : [
        wrap(
          "Товар",
          tag("Ид", "ORDER_DELIVERY"),
          tag("Наименование", `Доставка: ${deliveryName}`),
          piece,
          tag("ЦенаЗаЕдиницу", money(deliveryPrice)),
          tag("Количество", 1),
          tag("Сумма", money(deliveryPrice)),
          wrap("ЗначенияРеквизитов", requisite("ВидНоменклатуры", "Услуга"), requisite("ТипНоменклатуры", "Услуга")),
        ),
      ];
