import { nbsp, number } from "#kit/format.ts";

/** Russian vocabulary of the search: labels of filters, units, stop words and the alphabet. Synonyms are rows that staff edit. */

export const labels = {
  inStock: "В наличии",
  spreadTo: (percent: number): string => `до ${spell(percent)} %`,
  /** Grams of pure metal, at most two decimals: `7,78 г`, `1 кг`. */
  weight: (grams: number): string => (grams >= 1000 ? `${spell(grams / 1000)} кг` : `${spell(grams)} г`),
};
const spell = (value: number): string => String(Math.round(value * 100) / 100).replace(".", ",");

/** Words that find a coin although its texts may not contain them. */
export const impliedWords = {
  gold: "золото золотая золотой",
  silver: "серебро серебряная серебряный",
  bullion: "инвестиционная",
  memorable: "памятная",
};

/** Stop words of queries. */
export const stopWords = new Set(
  (
    "а без бы в во для до и из или к как какая какие какой ко купить куплю заказать магазин монета монет " +
    "монеты монету монетой монетка монетки монеток монете на о об от по при продажа с со стоимость стоит " +
    "сколько у цена цены цене шт штук номинал номиналом проба пробы вес весом масса массой диаметр " +
    "диаметром год года году гг чистого металла самая самый самое самые не номер номера каталог каталога " +
    "каталогу каталожный каталожному артикул арт the of a and or in no"
  ).split(" "),
);

/** `500 000 руб.` for headings of prepared lists: their typeface has no rouble sign. */
export const priceInWords = (kopecks: number): string => `${number(Math.floor(kopecks / 100))}${nbsp}руб.`;
export const nothingFor = (sum: string): string => `Дешевле ${sum} таких монет сейчас нет. Показываем самые доступные.`;

/** The query that is searched when only a price was typed. */
export const anyCoin = "монеты";

/** Words that request a sort order. */
export const orderWords: Readonly<Record<string, "price" | "-price" | "new" | "popular">> = Object.fromEntries([
  ...(
    "дешево дешевая дешевый дешевое дешевые дешевую дешевле подешевле недорого недорогая недорогой " +
    "недорогие недорогую бюджетная бюджетно бюджетные"
  )
    .split(" ")
    .map((word) => [word, "price"] as const),
  ..."дорогая дорогие дорогой дорогое дорогую дорогих дороже подороже".split(" ").map((word) => [word, "-price"] as const),
  ..."популярная популярные популярный популярное популярных хит хиты".split(" ").map((word) => [word, "popular"] as const),
  ..."новинка новинки новинку новинок новые новая новую свежие".split(" ").map((word) => [word, "new"] as const),
]);

/** Units of mass after a number, in grams. A troy ounce is 31.1035 g. */
export const massUnits: Readonly<Record<string, number>> = {
  г: 1,
  гр: 1,
  грамм: 1,
  грамма: 1,
  граммов: 1,
  грамов: 1,
  грам: 1,
  g: 1,
  gr: 1,
  gram: 1,
  кг: 1000,
  килограмм: 1000,
  килограмма: 1000,
  килограммов: 1000,
  кило: 1000,
  kg: 1000,
  унция: 31.1035,
  унции: 31.1035,
  унций: 31.1035,
  унцию: 31.1035,
  унц: 31.1035,
  oz: 31.1035,
  ounce: 31.1035,
};
/** Words that are a mass by themselves, in grams. */
export const massWords: Readonly<Record<string, number>> = {
  унция: 31.1035,
  унцию: 31.1035,
  унции: 31.1035,
  унцовая: 31.1035,
  унцовые: 31.1035,
  ounce: 31.1035,
  oz: 31.1035,
  кило: 1000,
  кг: 1000,
  kg: 1000,
  килограмм: 1000,
  килограммовая: 1000,
  килограммовый: 1000,
  килограммовые: 1000,
  полунции: 15.5517,
  полунция: 15.5517,
};
/** Fractions of the unit that follows. */
export const fractionWords: Readonly<Record<string, number>> = {
  пол: 1 / 2,
  половина: 1 / 2,
  половинка: 1 / 2,
  четверть: 1 / 4,
  десятая: 1 / 10,
  двадцатая: 1 / 20,
};

/** Numbers in words, in the forms that are used before «рублей» and «унций». */
export const numberWords: Readonly<Record<string, number>> = {
  один: 1,
  одна: 1,
  одного: 1,
  одну: 1,
  два: 2,
  две: 2,
  двух: 2,
  три: 3,
  трех: 3,
  четыре: 4,
  пять: 5,
  пяти: 5,
  шесть: 6,
  семь: 7,
  восемь: 8,
  девять: 9,
  десять: 10,
  десяти: 10,
  двадцать: 20,
  двадцати: 20,
  тридцать: 30,
  сорок: 40,
  пятьдесят: 50,
  пятидесяти: 50,
  шестьдесят: 60,
  семьдесят: 70,
  восемьдесят: 80,
  девяносто: 90,
  сто: 100,
  ста: 100,
  двести: 200,
  двухсот: 200,
  триста: 300,
  пятьсот: 500,
};
/** Multipliers of the number before them. */
export const thousandWords = new Set("тысяча тысячи тысяч тысячь тыщ тыс тысячам т к k".split(" "));
export const millionWords = new Set("миллион миллиона миллионов млн м".split(" "));
/** Words before the highest and the lowest price; «не» swaps the two. */
export const upToWords = new Set("до дешевле меньше менее максимум".split(" "));
export const fromWords = new Set("от дороже больше более свыше выше минимум".split(" "));

/** Words after a number that make it a face value in roubles. */
export const roubleWords = new Set("р руб рубль рубля рублей рублевая рублевик ₽ rub ruble rubles rublej rublya rubl".split(" "));
/** Words after a number that make it a year. */
export const yearWords = new Set("год года году г гг гг.".split(" "));

/** The letters of both keyboard layouts, key by key. */
export const keyboard = {
  latin: "`qwertyuiop[]asdfghjkl;'zxcvbnm,.",
  russian: "ёйцукенгшщзхъфывапролджэячсмитьбю",
};

/** Latin spelling to Russian letters, longest first; several readings of one spelling are tried in turn. */
export const transliteration: readonly (readonly [string, readonly string[]])[] = [
  ["shch", ["щ"]],
  ["sch", ["щ"]],
  ["zh", ["ж"]],
  ["kh", ["х"]],
  ["ts", ["ц"]],
  ["tz", ["ц"]],
  ["ch", ["ч"]],
  ["sh", ["ш"]],
  ["yu", ["ю"]],
  ["ju", ["ю"]],
  ["ya", ["я"]],
  ["ja", ["я"]],
  ["yo", ["е"]],
  ["jo", ["е"]],
  ["ye", ["е"]],
  ["iy", ["ий"]],
  ["ij", ["ий"]],
  ["yj", ["ый"]],
  ["yy", ["ый"]],
  ["ii", ["ий"]],
  ["ck", ["к"]],
  ["ph", ["ф"]],
  ["a", ["а"]],
  ["b", ["б"]],
  ["c", ["ц", "к"]],
  ["d", ["д"]],
  ["e", ["е", "э"]],
  ["f", ["ф"]],
  ["g", ["г"]],
  ["h", ["х"]],
  ["i", ["и"]],
  ["j", ["й", "ж"]],
  ["k", ["к"]],
  ["l", ["л"]],
  ["m", ["м"]],
  ["n", ["н"]],
  ["o", ["о"]],
  ["p", ["п"]],
  ["q", ["к"]],
  ["r", ["р"]],
  ["s", ["с"]],
  ["t", ["т"]],
  ["u", ["у"]],
  ["v", ["в"]],
  ["w", ["в"]],
  ["x", ["кс"]],
  ["y", ["ы", "й"]],
  ["z", ["з"]],
  ["'", ["ь"]],
];

/** Endings of nouns and adjectives, longest first. */
export const endings: readonly string[] = (
  "иями ями ами ией иях ого его ому ему ыми ими иям ием ых их ах ях ей ой ий ый ая яя ую юю ое ее ые ие " +
  "ым им ом ем ам ям ию ью ия ья ье ии ьи ев ов ю у е о ы и а я й ь"
).split(" ");
export const russianVowels = "аеиоуыэюя";
/** A fleeting vowel before these letters: червонец, червонца. */
export const fleetingVowel = /([^аеиоуыэюя])[ео]([цклнвг])$/;

/** Pages that are not texts of the editors, with the words that find them. */
export const sitePages: readonly { id: string; title: string; href: string; words: string }[] = [
  {
    id: "site-quotes",
    title: "Цена золота",
    href: "/quotes-online",
    words: "курс серебра цены стоимость котировки график биржа доллар сегодня онлайн",
  },
  { id: "site-training", title: "Обучение для новичков", href: "/training", words: "статьи школа инвестор начинающих" },
  { id: "site-reviews", title: "Отзывы", href: "/reviews", words: "покупателей оценка рейтинг" },
  { id: "site-news", title: "Блог", href: "/news", words: "новости статьи новость" },
  { id: "site-cases", title: "Кейсы", href: "/cases", words: "истории примеры покупателей случаи" },
  { id: "site-privacy", title: "Политика конфиденциальности", href: "/privacy-policy", words: "персональные данные обработка документы" },
  { id: "site-promo", title: "Акции", href: "/promo", words: "акция скидка скидки распродажа" },
];

/** Additional words that find the editors' pages, by URL. */
export const wordsOfPages: Readonly<Record<string, string>> = {
  "/delivery": "сдэк cdek постамат пункт выдачи курьер самовывоз сроки оплатить картой сбп рассрочка кредит",
  "/partners": "партнерская программа партнер оптом опт агент",
  "/contacts": "телефон адрес офис часы режим работы почта магазин карта",
  "/return": "вернуть обменять возврат денег",
  "/coin-buyback": "продать сдать скупка скупаете покупаете оценка",
  "/certificates": "сертификат гарантия подлинность подделка экспертиза",
  "/how-to-buy": "заказ оформить покупка",
};
