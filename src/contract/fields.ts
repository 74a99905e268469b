import { maxEmailLength, maxNameLength } from "#shop/customers/customer.ts";

/** Messages and maximum lengths of single fields, for forms in the browser and schemas on the server. No zod: browsers load this file. */

/** Messages beside malformed fields. */
export const fieldMessages = {
  required: "Обязательное поле",
  email: "Email указан неверно",
  phone: "Телефон указан неверно",
  name: "Напишите буквами, как в паспорте",
  code: "Введите четыре цифры из SMS",
  consent: "Нужно согласие на обработку персональных данных",
  tooLong: "Слишком длинный текст",
  unknown: "Неизвестное поле",
  quantity: "Количество от 0 до 999",
  rating: "Поставьте оценку от одного до пяти",
  coins: "Назовите хотя бы одну монету",
  point: "Выберите пункт выдачи",
  wrong: "Значение указано неверно",
} as const;

/** Maximum lengths of stored texts, in characters. */
export const maxLengths = {
  name: maxNameLength,
  /** Three names with spaces between them. */
  fullName: maxNameLength * 3 + 2,
  email: maxEmailLength,
  address: 200,
  short: 20,
  message: 1000,
  query: 100,
} as const;
