import { number } from "#kit/format.ts";
import type { CoinProblem, FactField, PriceField } from "./coin-rules.ts";

/** Names and messages of a coin's fields, for the back office and its imports. */
export const fieldNames: Readonly<Record<FactField | PriceField, string>> = {
  slug: "Адрес страницы",
  title: "Название",
  metal: "Металл",
  kind: "Вид",
  country: "Страна",
  issuer: "Эмитент",
  mint: "Монетный двор",
  year: "Год",
  denominationValue: "Номинал",
  denominationCurrency: "Валюта номинала",
  series: "Серия",
  catalogueNumber: "Каталожный номер",
  finenessTenths: "Проба",
  pureMassMg: "Чистый металл",
  totalMassMg: "Масса монеты",
  diameterMm: "Диаметр",
  thicknessMm: "Толщина",
  shape: "Форма",
  lengthMm: "Длина",
  widthMm: "Ширина",
  mintage: "Тираж",
  quality: "Качество",
  edge: "Гурт",
  artist: "Художник",
  description: "Описание",
  motif: "Рисунок",
  vatCode: "НДС",
  purchaseLimit: "Не больше в одном заказе",
  featuredPosition: "Место в начале каталога",
  categories: "Разделы",
  premiumBp: "Премия",
  buybackBp: "Скидка выкупа",
  fixedPriceKopecks: "Цена",
  fixedBuybackKopecks: "Цена выкупа",
};

const ranges: Readonly<Partial<Record<FactField | PriceField, string>>> = {
  year: "Год от 1700 до 2100",
  finenessTenths: "Проба от 1 до 1000, не больше одного знака после запятой",
  purchaseLimit: "От 1 до 999 штук",
  featuredPosition: "Место от 1 до 999",
  premiumBp: "Премия больше −100 %",
};
const shapes: Readonly<Partial<Record<FactField | PriceField, string>>> = {
  slug: "Строчные латинские буквы и цифры через дефис",
  motif: "Строчные латинские буквы, цифры и дефис",
  catalogueNumber: "Номер вида 5216-0060 или 5216-0060-26",
  denominationCurrency: "Три латинские буквы, например RUB",
};

/** The message beside the field. */
export function problemText(problem: CoinProblem): string {
  switch (problem.code) {
    case "required":
      return "Обязательное поле";
    case "too_long":
      return "Слишком длинный текст";
    case "out_of_range":
      return ranges[problem.field] ?? "Число указано неверно";
    case "malformed":
      return shapes[problem.field] ?? "Значение указано неверно";
    case "unknown":
      return problem.field === "categories" ? "Такого раздела нет" : "Такого значения нет";
    case "mass": {
      const grams = number(Math.abs(problem.excessMg) / 1000, problem.excessMg % 10 === 0 ? 2 : 3);
      return `Масса на пробу даёт чистого металла на ${grams} г ${problem.excessMg > 0 ? "больше" : "меньше"}`;
    }
    case "round_without_diameter":
      return "У круглой монеты должен быть диаметр";
    case "value_without_currency":
      return "Укажите валюту номинала";
    case "own_metal_missing":
      return "Выберите раздел металла этой монеты";
    case "other_metal":
      return "Здесь раздел другого металла";
    case "slug_taken":
      return "Этот адрес занят другой монетой";
    case "slug_fixed":
      return "Адрес показанной монеты не меняют: на него ведут ссылки";
    case "buyback_above_price":
      return "Выкуп не ниже цены продажи";
  }
}

/** One message for each wrong field. */
export const problemTexts = (problems: readonly CoinProblem[]): Record<string, string> =>
  Object.fromEntries(problems.map((problem) => [problem.field, problemText(problem)]));
