import { fineness, grams, millimetres, nbsp, number, plural, trimmed } from "#kit/format.ts";
import type { Coin, Metal } from "#shop/catalog/coin.ts";
import { vatRateOf } from "#shop/payment/receipts/vat.ts";
import { vatCodeOf, type SellerTax } from "#shop/tax.ts";
import { metalNames } from "../../texts.ru.ts";
import { mintName, mintSign } from "../catalog/cards/coin-name.ts";

export type DataRow = { name: string; value: string; note?: string };

const qualities: Readonly<Record<string, { name: string; note: string }>> = {
  АЦ: { name: "АЦ, «анциркулейтед»", note: "Обычная чеканка: возможны мелкие следы от соседних монет, на цену металла они не влияют." },
  БА: { name: "БА, «бриллиант-анциркулейтед»", note: "Улучшенная чеканка: ровное блестящее поле без следов обращения." },
  пруф: { name: "Пруф", note: "Зеркальное поле и матовый рисунок. Брать только за гурт и в перчатках: след пальца не выводится." },
  "пруф-лайк": { name: "Пруф-лайк", note: "Поле почти зеркальное, чеканка в один удар." },
};

/** The fractions of a troy ounce in which coins are struck, by grams of pure metal. */
const ounceFractions: readonly [number, string][] = [
  [1.555, "1/20"],
  [3.11, "1/10"],
  [7.78, "1/4"],
  [15.55, "1/2"],
  [31.1, "1"],
  [62.2, "2"],
  [155.5, "5"],
  [311.03, "10"],
];

/** `1/4 унции` for a coin of 7.78 g; null for a mass that is not a usual fraction of an ounce. */
export function ounces(pureMassMg: number): string | null {
  const grammes = pureMassMg / 1000;
  const part = ounceFractions.find(([mass]) => Math.abs(grammes - mass) / mass < 0.003)?.[1];
  if (!part) return null;
  return `${part}${nbsp}${part === "1" ? "унция" : part === "5" || part === "10" ? "унций" : "унции"}`;
}

/** The name of a mass of metal: `1/4 унции золота`, `7,74 г золота`. */
export const massText = (metal: Metal, pureMassMg: number): string =>
  `${ounces(pureMassMg) ?? grams(pureMassMg)} ${metal === "gold" ? "золота" : "серебра"}`;

const currencies: Readonly<Record<string, readonly [string, string, string]>> = {
  RUB: ["рубль", "рубля", "рублей"],
  SUR: ["рубль", "рубля", "рублей"],
  USD: ["доллар", "доллара", "долларов"],
  CAD: ["канадский доллар", "канадских доллара", "канадских долларов"],
  AUD: ["австралийский доллар", "австралийских доллара", "австралийских долларов"],
  GBP: ["фунт", "фунта", "фунтов"],
  EUR: ["евро", "евро", "евро"],
  CNY: ["юань", "юаня", "юаней"],
  AMD: ["драм", "драма", "драмов"],
  KZT: ["тенге", "тенге", "тенге"],
  ZAR: ["рэнд", "рэнда", "рэндов"],
  SOS: ["шиллинг", "шиллинга", "шиллингов"],
};

/** `50 рублей`; null for coins without a face value. */
function faceValue(value: number | null, currency: string | null): string | null {
  if (value === null || currency === null) return null;
  const forms = currencies[currency];
  return `${trimmed(value, 2)}${nbsp}${forms ? (Number.isInteger(value) ? plural(value, forms) : forms[1]) : currency}`;
}

/** The coin's VAT as on the receipt, by the seller's tax system. Code 1 is exempt by law. */
function vatRow(vatCode: number, tax: SellerTax): DataRow {
  if (vatCode === 1) return { name: "НДС", value: "не облагается", note: "Подпункт 11 пункта 2 статьи 149 Налогового кодекса." };
  const rate = vatRateOf(vatCodeOf(tax, vatCode));
  return rate === null ? { name: "НДС", value: "без НДС" } : { name: "НДС", value: `${rate}%`, note: "Входит в цену." };
}

/** The known facts of a coin, with a note where a beginner needs one. Unknown facts are left out. */
export function dataRows(coin: Coin, tax: SellerTax): DataRow[] {
  const part = ounces(coin.pureMassMg);
  const quality = qualities[coin.quality];
  const face = faceValue(coin.denominationValue, coin.denominationCurrency);
  const sign = mintSign(coin.mint);
  const rows: (DataRow | null)[] = [
    {
      name: "Металл и проба",
      value: `${metalNames[coin.metal]} ${fineness(coin.finenessTenths)}`,
      note: `Из тысячи долей сплава ${fineness(coin.finenessTenths)} — чистый металл.`,
    },
    {
      name: "Чистого металла",
      value: `${grams(coin.pureMassMg)}${part ? ` (${part})` : ""}`,
      note: coin.kind === "bullion" ? "Из этой массы считаются цена и выкуп." : "Не меньше указанного.",
    },
    { name: "Общая масса", value: grams(coin.totalMassMg) },
    coin.diameterMm === null ? null : { name: "Диаметр", value: millimetres(coin.diameterMm) },
    coin.lengthMm === null || coin.widthMm === null
      ? null
      : { name: "Стороны", value: `${millimetres(coin.lengthMm)} × ${millimetres(coin.widthMm)}` },
    coin.thicknessMm === null ? null : { name: "Толщина", value: millimetres(coin.thicknessMm) },
    face === null
      ? { name: "Номинал", value: "без номинала", note: "Стоимость определяется содержанием металла." }
      : { name: "Номинал", value: face, ...(coin.kind === "bullion" ? { note: "Условный: цена следует за металлом." } : {}) },
    { name: "Эмитент", value: coin.issuer },
    coin.country === "Россия" ? null : { name: "Страна", value: coin.country },
    coin.mint === null ? null : { name: "Монетный двор", value: sign ? `${mintName(coin.mint)}, ${sign}` : coin.mint },
    { name: "Год чеканки", value: String(coin.year) },
    coin.series === null ? null : { name: "Серия", value: coin.series },
    { name: "Качество", value: quality?.name ?? coin.quality, ...(quality ? { note: quality.note } : {}) },
    coin.mintage === null ? null : { name: "Тираж", value: `${coin.kind === "bullion" ? "до " : ""}${number(coin.mintage)}` },
    coin.edge === null ? null : { name: "Гурт", value: coin.edge },
    coin.artist === null ? null : { name: "Художник", value: coin.artist },
    coin.catalogueNumber === null
      ? null
      : { name: "Каталожный номер", value: coin.catalogueNumber, note: "По каталогу Банка России; у монет двух дворов он бывает общим." },
    vatRow(coin.vatCode, tax),
  ];
  return rows.filter((row) => row !== null);
}
