import { ownFilms } from "#shop/content/site/own-pictures.ts";
import type { PartKind } from "#shop/content/site/parts.ts";
import type { TextKind } from "#shop/content/text-data.ts";
import { textOf } from "./words.ts";

/** A form of the content editor as data: the same few fields make the editors of all texts and blocks. */
export type Value = Record<string, unknown>;
type Base = { name: string; label: string; hint?: string };
export type FieldSpec =
  | (Base & { type: "line"; isNullable?: boolean })
  | (Base & {
      type: "area" | "markdown" | "day" | "moment" | "number" | "check" | "lines" | "words" | "coins" | "cover";
    })
  /** `own`: pictures of the shop by name, as options. */
  | (Base & { type: "picture"; own?: readonly (readonly [value: string, text: string])[] })
  | (Base & { type: "film"; format: "mp4" | "webm"; isNullable?: boolean })
  | (Base & { type: "group"; fields: readonly FieldSpec[] })
  | (Base & { type: "link"; isOptional?: boolean })
  | (Base & { type: "select"; options: readonly (readonly [value: string, text: string])[] })
  | (Base & { type: "checks"; options: readonly (readonly [value: string, text: string])[] })
  | (Base & { type: "choice" })
  /** `article`: the id of one; `questionGroup`: a group of «Разделы вопросов». `none`: the words for no group. */
  | (Base & { type: "coin"; isOptional?: boolean })
  | (Base & { type: "article" })
  | (Base & { type: "questionGroup"; none?: string })
  | (Base & { type: "block" })
  | (Base & { type: "list"; fields: readonly FieldSpec[]; titleOf: (item: Value) => string; add: string; make: () => Value });

const title = { name: "title", label: "Заголовок", type: "line" } as const;
const lead = { name: "lead", label: "Вводный текст", type: "area" } as const;
const slug = {
  name: "slug",
  label: "Адрес",
  type: "line",
  hint: "Латинские буквы, цифры и дефисы. Прежний адрес будет вести на новый",
} as const;
const body = { name: "body", label: "Текст", type: "markdown" } as const;
const cover = { name: "cover", label: "Обложка", type: "cover" } as const;
const more = { name: "more", label: "Ссылка справа", type: "link", isOptional: true } as const;
const coin = { name: "coin", label: "Монета", type: "coin" } as const;
const choice = { name: "choice", label: "Какие монеты", type: "choice" } as const;
const from = { name: "from", label: "Показывать с", type: "moment", hint: "Пусто — сразу. Время московское" } as const;
const until = { name: "until", label: "Показывать до", type: "moment", hint: "Пусто — без срока" } as const;
const isOn = { name: "isOn", label: "Показывать", type: "check" } as const;

/** The plain pages by their address. */
export const plainPages = [
  ["about", "О магазине"],
  ["delivery", "Доставка и оплата"],
  ["how-to-buy", "Как купить"],
  ["return", "Обмен и возврат"],
  ["coin-buyback", "Выкуп монет"],
  ["partners", "Партнёрская программа"],
  ["certificates", "Сертификаты"],
  ["contacts", "Контакты"],
] as const;

/** The plain pages that show films above their text. */
const filmPages = plainPages.filter(([path]) => ["about", "delivery", "how-to-buy", "return", "certificates"].includes(path));
export const filmNames = { gold: "Золотой «Георгий»", silver: "Серебряный «Георгий»" } as const;
const protectionIcons = [
  ["turn", "Стрелка назад"],
  ["shield", "Щит"],
  ["check", "Галочка"],
  ["box", "Коробка"],
  ["truck", "Машина"],
  ["door", "Дверь"],
] as const;

const named = (item: Value): string => textOf(item["name"]) || textOf(item["title"]) || textOf(item["long"]) || "Без названия";
const newId = (): string => crypto.randomUUID().slice(0, 8);

export const textSpecs: Readonly<Record<TextKind, readonly FieldSpec[]>> = {
  news: [
    title,
    slug,
    lead,
    body,
    { name: "publishedOn", label: "Дата новости", type: "day" },
    { name: "tags", label: "Метки", type: "words", hint: "Через запятую" },
    cover,
  ],
  training: [
    title,
    slug,
    lead,
    body,
    { name: "minutes", label: "Минут чтения", type: "number" },
    { name: "related", label: "Разделы каталога", type: "words", hint: "Адреса разделов через запятую: gold/bullion-coins" },
    cover,
  ],
  case: [title, slug, lead, body, { name: "facts", label: "Факты", type: "lines", hint: "Каждый с новой строки" }],
  promo: [
    title,
    slug,
    lead,
    body,
    { name: "startsAt", label: "Первый день", type: "day" },
    { name: "endsAt", label: "Последний день", type: "day" },
    { name: "conditions", label: "Условия", type: "lines", hint: "Каждое с новой строки" },
    cover,
  ],
  faq: [
    { name: "title", label: "Вопрос", type: "line" },
    { name: "body", label: "Ответ", type: "markdown" },
    { name: "group", label: "Раздел", type: "questionGroup", hint: "Список правят в «Сайт → Разделы вопросов»" },
  ],
  page: [title, { name: "lead", label: "Описание для поисковиков", type: "area", hint: "Пусто — начало текста" }, body],
  document: [
    title,
    { name: "path", label: "Адрес", type: "line", hint: "С / в начале: /dogovor. Прежний адрес будет вести на новый" },
    { name: "description", label: "Описание для поисковиков", type: "area" },
    body,
    {
      name: "parentPath",
      label: "Страница выше",
      type: "line",
      isNullable: true,
      hint: "Её адрес, например /documents; пусто — сразу под главной",
    },
    { name: "hasEditions", label: "Юридический документ: у каждой редакции свой день", type: "check" },
  ],
};

export const newText = (kind: TextKind, today: string): Value => {
  const text = { kind, title: "", slug: "", lead: "", body: "" };
  const own: Record<TextKind, Value> = {
    news: { ...text, publishedOn: today, tags: [], cover: null },
    training: { ...text, minutes: 5, related: [], cover: null },
    case: { ...text, facts: [] },
    promo: { ...text, startsAt: today, endsAt: today, conditions: [], cover: null },
    faq: { kind, title: "", body: "", group: "" },
    page: { kind, title: "", lead: "", body: "" },
    document: { kind, title: "", path: "/", description: "", body: "", parentPath: null, hasEditions: false },
  };
  return own[kind];
};

/** The kinds of blocks of the home page: their names, fields and empty values. */
export const blockSpecs: Readonly<Record<string, { name: string; fields: readonly FieldSpec[]; make: () => Value }>> = {
  hero: {
    name: "Первый экран",
    fields: [title, lead, { name: "button", label: "Кнопка", type: "link" }, { ...more, label: "Вторая ссылка" }, coin],
    make: () => ({ kind: "hero", title: "", lead: "", button: { text: "", href: "/" }, more: null, coin: "" }),
  },
  ruler: { name: "Цена одной монеты на шкале", fields: [coin], make: () => ({ kind: "ruler", coin: "" }) },
  sizes: {
    name: "Монеты в одном масштабе",
    fields: [
      title,
      lead,
      more,
      { name: "label", label: "Подпись ряда для программ чтения", type: "line" },
      { name: "coins", label: "Монеты", type: "coins" },
    ],
    make: () => ({ kind: "sizes", title: "", lead: "", more: null, label: "", coins: [] }),
  },
  prices: {
    name: "Котировальный лист",
    fields: [
      title,
      lead,
      more,
      { name: "caption", label: "Подпись таблицы", type: "line" },
      choice,
      { name: "note", label: "Примечание", type: "area" },
    ],
    make: () => ({
      kind: "prices",
      title: "",
      lead: "",
      more: null,
      caption: "",
      note: "",
      choice: { by: "popular", coins: "bullion", count: 6 },
    }),
  },
  promises: {
    name: "Обещания магазина",
    fields: [
      title,
      { name: "picture", label: "Картинка", type: "picture" },
      { name: "alt", label: "Что на картинке", type: "line" },
      { name: "caption", label: "Подпись под картинкой", type: "area" },
      {
        name: "items",
        label: "Обещания",
        type: "list",
        fields: [title, { name: "text", label: "Текст", type: "area" }],
        titleOf: named,
        add: "Добавить обещание",
        make: () => ({ title: "", text: "" }),
      },
    ],
    make: () => ({ kind: "promises", title: "", picture: "capsule", alt: "", caption: "", items: [] }),
  },
  coins: {
    name: "Монеты карточками",
    fields: [title, lead, more, choice, { name: "note", label: "Примечание", type: "area" }],
    make: () => ({ kind: "coins", title: "", lead: "", more: null, note: "", choice: { by: "popular", coins: "memorable", count: 4 } }),
  },
  articles: {
    name: "Статьи",
    fields: [
      title,
      more,
      { name: "lead", label: "Главная статья", type: "article" },
      { name: "picture", label: "Картинка", type: "picture" },
      { name: "articles", label: "Сколько ещё статей", type: "number" },
      { name: "news", label: "Сколько новостей", type: "number" },
    ],
    make: () => ({ kind: "articles", title: "", more: null, lead: 0, picture: "news-1", articles: 4, news: 1 }),
  },
  formula: {
    name: "Как считается выкуп",
    fields: [
      title,
      coin,
      { name: "coinName", label: "Монета в словах «дисконт …»", type: "line" },
      { name: "text", label: "Текст", type: "area" },
      { name: "button", label: "Кнопка", type: "link" },
    ],
    make: () => ({ kind: "formula", title: "", coin: "", coinName: "", text: "", button: { text: "", href: "/" } }),
  },
  banner: {
    name: "Объявление",
    fields: [title, lead, more],
    make: () => ({ kind: "banner", title: "", lead: "", more: null }),
  },
};

const contentOf = (item: Value): Value => item["content"] as Value;
export const blockName = (item: Value): string => {
  const { kind, title } = contentOf(item);
  const words = textOf(title);
  const { name = "Блок" } = blockSpecs[textOf(kind)] ?? {};
  return words ? `${name}: ${words}` : name;
};
export const newBlock = (kind: string): Value => ({
  id: newId(),
  isOn: true,
  from: null,
  until: null,
  content: blockSpecs[kind]?.make() ?? {},
});

const menuItem = [
  { name: "name", label: "Название", type: "line" },
  { name: "href", label: "Адрес", type: "line" },
] as const satisfies readonly FieldSpec[];
const newItem = (): Value => ({ name: "", href: "/" });
const items = { fields: menuItem, titleOf: named, add: "Добавить ссылку", make: newItem } as const;

export const partSpecs: Readonly<Record<PartKind, readonly FieldSpec[]>> = {
  home: [
    { name: "title", label: "Заголовок для поисковиков", type: "line" },
    { name: "description", label: "Описание для поисковиков", type: "area" },
    {
      name: "blocks",
      label: "Блоки",
      type: "list",
      fields: [isOn, { name: "content", label: "", type: "block" }, from, until],
      titleOf: blockName,
      add: "",
      make: () => newBlock("banner"),
    },
  ],
  banner: [
    {
      name: "banners",
      label: "Объявления: видно первое, чьё время идёт",
      type: "list",
      fields: [
        isOn,
        { name: "long", label: "Текст", type: "line" },
        { name: "short", label: "Коротко, для телефона", type: "line" },
        { name: "label", label: "Название для программ чтения", type: "line" },
        { name: "href", label: "Куда ведёт", type: "line", isNullable: true, hint: "Пусто — никуда" },
        from,
        until,
        { name: "isDismissible", label: "Посетитель может скрыть", type: "check" },
      ],
      titleOf: named,
      add: "Добавить объявление",
      make: () => ({
        id: newId(),
        isOn: true,
        from: null,
        until: null,
        label: "Объявление",
        long: "",
        short: "",
        href: null,
        isDismissible: true,
      }),
    },
  ],
  menu: [
    { name: "main", label: "Шапка: первый пункт открывает каталог", type: "list", ...items },
    { name: "catalog", label: "Под «Каталогом» на телефоне", type: "list", ...items },
    {
      name: "secondary",
      label: "Строка над шапкой",
      type: "list",
      ...items,
      fields: [
        ...menuItem,
        { name: "short", label: "Коротко", type: "line" },
        { name: "isOnlyInPanel", label: "Только на телефоне", type: "check" },
      ],
      make: () => ({ ...newItem(), short: "", isOnlyInPanel: false }),
    },
    {
      name: "footer",
      label: "Подвал",
      type: "list",
      fields: [
        { name: "title", label: "Заголовок столбца", type: "line" },
        { name: "items", label: "Ссылки", type: "list", ...items },
      ],
      titleOf: named,
      add: "Добавить столбец",
      make: () => ({ title: "", items: [newItem()] }),
    },
  ],
  questions: [
    {
      name: "groups",
      label: "Разделы",
      type: "list",
      fields: [
        { name: "name", label: "Название", type: "line" },
        { name: "pages", label: "Под текстом каких страниц", type: "checks", options: plainPages },
      ],
      titleOf: named,
      add: "Добавить раздел",
      make: () => ({ name: "", pages: [] }),
    },
  ],
  films: [
    {
      name: "films",
      label: "Фильмы: на странице монеты появляется кнопка «Видео»",
      type: "list",
      fields: [
        isOn,
        coin,
        { name: "title", label: "Заголовок окна", type: "line" },
        { name: "story", label: "Что в кадре, словами", type: "area", hint: "Для тех, кто не видит фильма: он без звука" },
        { name: "mp4", label: "Фильм MP4", type: "film", format: "mp4" },
        { name: "webm", label: "Фильм WebM", type: "film", format: "webm", isNullable: true, hint: "Не обязателен: он меньше MP4" },
        { name: "poster", label: "Первый кадр", type: "picture", own: ownFilms.map((name) => [name, filmNames[name]] as const) },
        { name: "pages", label: "Кнопка над текстом страниц", type: "checks", options: filmPages },
      ],
      titleOf: named,
      add: "Добавить фильм",
      make: () => ({
        id: newId(),
        isOn: true,
        coin: "",
        title: "Монета со всех сторон",
        story: "",
        mp4: "",
        webm: null,
        poster: "",
        pages: [],
      }),
    },
  ],
  pages: [
    { name: "errorCoin", label: "Монета внутри «404»", type: "coin" },
    { name: "slogan", label: "Слова о магазине в подвале", type: "line" },
    { name: "office", label: "Заголовок контактов в подвале", type: "line" },
    {
      name: "catalogue",
      label: "Весь каталог",
      type: "group",
      fields: [
        { name: "heading", label: "Заголовок", type: "line" },
        { name: "intro", label: "Вводный текст", type: "area" },
        { name: "noteTitle", label: "Заголовок под списком", type: "line" },
        { name: "note", label: "Текст под списком", type: "lines", hint: "Каждый абзац с новой строки" },
      ],
    },
    {
      name: "protections",
      label: "Страница монеты: чем защищён покупатель",
      type: "list",
      fields: [
        { name: "text", label: "Текст", type: "line", hint: "{{CERT_FROM}} и другие значения подставятся из настроек" },
        { name: "fallback", label: "Если значение не задано", type: "line", hint: "Пусто — тот же текст" },
        { name: "special", label: "Для монет, которые возит спецсвязь", type: "line", hint: "Пусто — тот же текст" },
        { name: "href", label: "Адрес", type: "line" },
        { name: "icon", label: "Значок", type: "select", options: protectionIcons },
      ],
      titleOf: (item) => textOf(item["text"]) || "Без текста",
      add: "Добавить строку",
      make: () => ({ icon: "check", text: "", special: "", fallback: "", href: "/" }),
    },
    {
      name: "coinQuestions",
      label: "Страница монеты: раздел вопросов",
      type: "questionGroup",
      none: "Без вопросов",
    },
    {
      name: "capsuleCoin",
      label: "Страница монеты: какая монета на снимке в капсуле",
      type: "coin",
      isOptional: true,
      hint: "Снимок видят у всех монет с этим рисунком, металлом и валютой номинала",
    },
    { name: "emptyCart", label: "Пустая корзина", type: "area" },
    {
      name: "closedMarket",
      label: "Корзина, пока биржа закрыта: что можно заказать",
      type: "group",
      fields: [
        { name: "before", label: "Слова до ссылки", type: "line" },
        { name: "link", label: "Ссылка", type: "link" },
        { name: "after", label: "Слова после ссылки", type: "line" },
      ],
    },
    { name: "trainingIntro", label: "Список статей: слова над ним", type: "area", hint: "И описание для поисковиков; пусто — без слов" },
    { name: "noPromos", label: "Страница акций, когда их нет", type: "area" },
    { name: "goldSpreads", label: "Цена золота: адрес списка монет со спредом", type: "line" },
    { name: "silverSpreads", label: "Цена серебра: адрес списка монет со спредом", type: "line" },
  ],
};
