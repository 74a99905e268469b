import type { Limits } from "../settings.ts";
import { limitForms, type LimitGroup } from "./limit-forms.ts";

/** The forms of the settings: Russian names, units and ranges. Browsers load this file, so it has no schemas. */

export type NumberField = {
  kind: "number";
  label: string;
  unit: string;
  hint?: string;
  min: number;
  max: number;
  /** Accepts parts of one. */
  isFraction?: true;
  /** Belongs to the machine: it is read once at the start, from the environment only. */
  isOfMachine?: true;
};
type OneField =
  | { kind: "text"; label: string; hint?: string; isLong?: true }
  | { kind: "choice"; label: string; hint?: string; options: readonly (readonly [value: string | number | null, text: string])[] }
  | { kind: "flag"; label: string; hint?: string }
  | { kind: "weekdays"; label: string }
  | { kind: "time"; label: string }
  | NumberField;
export type SettingField =
  | OneField
  /** A list of single lines. */
  | { kind: "lines"; label: string; hint?: string; add: string; max: number }
  /** A list of calendar days, shown by year. */
  | { kind: "dates"; label: string; hint?: string; max: number }
  /** A list of records; `empty` is a new one. */
  | {
      kind: "rows";
      label: string;
      hint?: string;
      add: string;
      max: number;
      fields: Readonly<Record<string, OneField>>;
      empty: Readonly<Record<string, unknown>>;
    };

type Section = "shop" | "documents" | "time" | "orders" | "contact" | "protection";
export const settingSections: Readonly<Record<Section, string>> = {
  shop: "О магазине",
  documents: "Документы",
  time: "Часы и дни",
  orders: "Заказы и деньги",
  contact: "Связь с покупателем",
  protection: "Защита и служебное",
};

export type SettingForm = {
  title: string;
  section: Section;
  hint?: string;
  /** Why a second person approves each change of the group. */
  needsTwo?: string;
  fields: Readonly<Record<string, SettingField>>;
};

const sessions = (label: string, hint: string) =>
  ({
    kind: "rows",
    label,
    hint,
    add: "Добавить часы",
    max: 14,
    fields: {
      days: { kind: "weekdays", label: "Дни" },
      from: { kind: "time", label: "С" },
      till: { kind: "time", label: "До" },
    },
    empty: { days: [], from: "10:00", till: "18:00" },
  }) as const;

/** The fields of a group of limits, in the order of `limitForms`. */
const limitsOf = (group: LimitGroup): Readonly<Record<string, SettingField>> =>
  Object.fromEntries(
    (Object.keys(limitForms) as (keyof Limits)[])
      .filter((name) => limitForms[name].group === group)
      .map((name) => {
        const { group: _, ...field } = limitForms[name];
        return [name, { kind: "number", ...field } satisfies NumberField];
      }),
  );

const sums = "Суммы в рублях.";

export const settingForms = {
  identity: {
    title: "Название и контакты",
    section: "shop",
    hint: "Первый телефон, почта, название и часы попадают и в тексты страниц.",
    fields: {
      name: { kind: "text", label: "Название магазина" },
      phones: {
        kind: "rows",
        label: "Телефоны",
        hint: "Первый стоит в шапке сайта.",
        add: "Добавить телефон",
        max: 5,
        fields: { display: { kind: "text", label: "Номер" } },
        empty: { display: "" },
      },
      supportExtension: { kind: "text", label: "Добавочный поддержки сайта" },
      email: { kind: "text", label: "Почта" },
      address: { kind: "text", label: "Адрес офиса" },
      latitude: { kind: "number", label: "Широта", unit: "°", min: -90, max: 90, isFraction: true, hint: "Для карты; пусто: центр города" },
      longitude: { kind: "number", label: "Долгота", unit: "°", min: -180, max: 180, isFraction: true },
      hours: {
        kind: "lines",
        label: "Часы работы, как их видит покупатель",
        hint: "Только слова. Сроки ответов считаются по «Часам ответа» в разделе «Часы и дни»: поменяйте и там",
        add: "Добавить строку",
        max: 7,
      },
    },
  },
  messengers: {
    title: "Мессенджеры",
    section: "shop",
    hint: "Первые два видны в шапке сайта.",
    fields: {
      messengers: {
        kind: "rows",
        label: "Мессенджеры",
        add: "Добавить мессенджер",
        max: 6,
        fields: { title: { kind: "text", label: "Название" }, href: { kind: "text", label: "Ссылка" } },
        empty: { title: "", href: "https://" },
      },
    },
  },
  ratings: {
    title: "Оценки",
    section: "shop",
    fields: {
      ratings: {
        kind: "rows",
        label: "Оценки на картах и площадках",
        add: "Добавить оценку",
        max: 6,
        fields: {
          platform: { kind: "text", label: "Площадка" },
          value: { kind: "text", label: "Оценка" },
          isSample: { kind: "flag", label: "Образец, настоящей оценки ещё нет" },
        },
        empty: { platform: "", value: "5,0", isSample: false },
      },
    },
  },
  texts: {
    title: "Слова в текстах",
    section: "shop",
    hint: "Эти слова подставляются в тексты страниц и документов.",
    fields: {
      CITY: { kind: "text", label: "Город" },
      DISTRICT: { kind: "text", label: "Район, в предложном падеже" },
      ENTRANCE: { kind: "text", label: "Как войти" },
      MAP_LINK: { kind: "text", label: "Ссылка на карту" },
      EMAIL_ORDERS: { kind: "text", label: "Почта для заказов" },
      EMAIL_BUYBACK: { kind: "text", label: "Почта для выкупа" },
      EMAIL_ACCOUNTING: { kind: "text", label: "Почта бухгалтерии" },
      EMAIL_PRIVACY: { kind: "text", label: "Почта для персональных данных" },
      COMPLAINTS_PERSON: { kind: "text", label: "Кто разбирает жалобы" },
      CERT_FROM: { kind: "number", label: "Сертификат к заказу от", unit: "₽", min: 1, max: 100_000_000, hint: "Пусто — без суммы" },
      BUYBACK_SHIP_FROM: { kind: "number", label: "Выкуп с пересылкой от", unit: "₽", min: 1, max: 100_000_000, hint: "Пусто — без суммы" },
    },
  },
  requisites: {
    title: "Реквизиты",
    section: "documents",
    hint: "Стоят в счетах, платёжных поручениях и документах.",
    needsTwo: "Реквизиты меняют вдвоём: по ним покупатели переводят деньги",
    fields: {
      LEGAL_NAME: { kind: "text", label: "Юридическое лицо" },
      INN: { kind: "text", label: "ИНН" },
      KPP: { kind: "text", label: "КПП", hint: "У предпринимателя пусто" },
      OGRN: { kind: "text", label: "ОГРН" },
      ADDRESS: { kind: "text", label: "Адрес в документах" },
      BANK: { kind: "text", label: "Банк" },
      BIK: { kind: "text", label: "БИК" },
      ACCOUNT: { kind: "text", label: "Расчётный счёт" },
      CORR_ACCOUNT: { kind: "text", label: "Корреспондентский счёт" },
    },
  },
  taxes: {
    title: "Налоги",
    section: "documents",
    hint: "Решают, какой НДС стоит в чеках и счетах.",
    needsTwo: "Налоги меняют вдвоём: от них зависит НДС в чеках",
    fields: {
      system: {
        kind: "choice",
        label: "Система налогообложения",
        options: [
          ["general", "общая"],
          ["simplified_income", "упрощённая, доходы"],
          ["simplified_income_less_expenses", "упрощённая, доходы минус расходы"],
          ["agricultural", "сельскохозяйственная"],
          ["patent", "патент"],
        ],
      },
      simplifiedVatPercent: {
        kind: "choice",
        label: "НДС на упрощённой системе",
        options: [
          [null, "нет"],
          [5, "5 %"],
          [7, "7 %"],
          [22, "22 %"],
        ],
      },
      prepaymentVat: {
        kind: "choice",
        label: "НДС в чеке предоплаты",
        options: [
          ["computed", "расчётный, 22/122"],
          ["full", "полный, 22 %"],
        ],
      },
      sendsTaxSystem: { kind: "flag", label: "Передавать систему налогообложения в чеке", hint: "Нужно некоторым кассам" },
    },
  },
  market: {
    title: "Календарь биржи",
    section: "time",
    hint: "По нему покупатель видит, до какого часа цены стоят, а счёт считает банковские дни.",
    fields: {
      sessions: sessions("Торги", "Московское время."),
      closed: { kind: "dates", label: "Биржа закрыта", hint: "Праздники и переносы. В эти дни закрыт и офис.", max: 200 },
      extra: { kind: "dates", label: "Рабочие субботы", hint: "Торги идут в выходной.", max: 50 },
    },
  },
  office: {
    title: "Часы ответа",
    section: "time",
    hint: "По ним считается, к какому часу надо перезвонить.",
    fields: { sessions: sessions("Когда отвечаем", "Московское время. В праздники не отвечаем.") },
  },
  courier: {
    title: "Курьер",
    section: "time",
    hint: "К его приезду заказы должны быть собраны: срок стоит в «Ждёт».",
    fields: {
      visits: {
        kind: "rows",
        label: "Когда курьер забирает посылки",
        hint: "Московское время. В праздники не приезжает.",
        add: "Добавить время",
        max: 14,
        fields: { days: { kind: "weekdays", label: "Дни" }, at: { kind: "time", label: "Во сколько" } },
        empty: { days: [], at: "17:00" },
      },
    },
  },
  delivery: { title: "Доставка", section: "orders", hint: sums, fields: limitsOf("delivery") },
  payment: { title: "Оплата и возвраты", section: "orders", hint: sums, fields: limitsOf("payment") },
  lifetimes: { title: "Сроки цен и заказов", section: "orders", fields: limitsOf("lifetimes") },
  reservations: {
    title: "Бронь без оплаты",
    section: "orders",
    hint: "Сколько монет может удержать тот, кто ещё не заплатил.",
    fields: limitsOf("reservations"),
  },
  purchases: { title: "Покупка и корзина", section: "orders", fields: limitsOf("purchases") },
  approvals: {
    title: "Второй сотрудник",
    section: "orders",
    hint: "Когда действие подтверждает второй человек.",
    needsTwo: "Эти пределы меняют вдвоём: они решают, что можно сделать одному",
    fields: limitsOf("approvals"),
  },
  messages: { title: "Письма и SMS", section: "contact", fields: limitsOf("messages") },
  requests: { title: "Обращения", section: "contact", fields: limitsOf("requests") },
  sign_in: { title: "Вход покупателя", section: "protection", fields: limitsOf("sign_in") },
  rates: { title: "Курсы металлов", section: "protection", fields: limitsOf("rates") },
  storage: {
    title: "Сроки хранения",
    section: "protection",
    hint: "Сколько хранятся персональные данные.",
    fields: limitsOf("storage"),
  },
  staff: { title: "Служебная часть", section: "protection", fields: limitsOf("staff") },
  load: {
    title: "Нагрузка",
    section: "protection",
    hint: "Сколько запросов принимает каждый процесс сервера.",
    fields: limitsOf("load"),
  },
} as const satisfies Record<string, SettingForm>;
export type SettingKey = keyof typeof settingForms;
export const settingKeys = Object.keys(settingForms) as [SettingKey, ...SettingKey[]];

/** The form of a group, its fields seen alike whatever the group. */
export const formOf = (key: SettingKey): SettingForm => settingForms[key];
