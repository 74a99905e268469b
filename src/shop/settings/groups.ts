import * as z from "zod";
import { number as inGroups, trimmed } from "#kit/format.ts";
import { weekdays } from "#kit/moscow-time.ts";
import { isEmail, normalisePhone } from "#shop/customers/customer.ts";
import { isAccount, isInn } from "#shop/seller.ts";
import { defaultLimits, type Limits, type ShopSettings } from "#shop/settings.ts";
import { simplifiedVatRates, taxFault, taxSystems, type TaxSystem } from "#shop/tax.ts";
import { settingForms, type NumberField, type SettingField, type SettingKey } from "./forms.ts";
import { limitOrders } from "./limit-forms.ts";

/** The part of the settings that staff can change. */
export type SettingsContent = Pick<ShopSettings, "shop" | "seller" | "market" | "office" | "courier" | "limits">;
/** What the form of a group holds. */
export type GroupValues = Readonly<Record<string, unknown>>;

/** One group of settings: its schema, and how its values are read from the settings and put into them. */
export type SettingGroup = {
  schema: z.ZodType<GroupValues>;
  read: (settings: SettingsContent) => GroupValues;
  apply: (settings: SettingsContent, values: GroupValues) => SettingsContent;
  /** Values that an earlier release stored, as the schema accepts them. */
  upgrade?: (stored: GroupValues) => GroupValues;
};
const group = <S extends z.ZodType<GroupValues>>(parts: {
  schema: S;
  read: (settings: SettingsContent) => z.input<S>;
  apply: (settings: SettingsContent, values: z.output<S>) => SettingsContent;
  upgrade?: (stored: GroupValues) => GroupValues;
}): SettingGroup => parts as unknown as SettingGroup;

const missing = "Заполните поле";
const text = (max = 200) => z.string(missing).trim().min(1, missing).max(max, `Не длиннее ${max} знаков`);
const optional = (max = 200) => z.string(missing).trim().max(max, `Не длиннее ${max} знаков`);
const email = text(254).refine(isEmail, "Адрес почты указан неверно");
const link = text(500).refine((value) => URL.canParse(value) && /^https:$/.test(new URL(value).protocol), "Ссылка начинается с https://");
const mailbox = z.union([z.literal(""), email], "Адрес почты указан неверно");
const phone = text(40).refine((value) => normalisePhone(value) !== null, "Российский номер из одиннадцати цифр");
const calendarDay = z.iso.date("Дата указана неверно");
const daysList = (max: number) =>
  z
    .array(calendarDay)
    .max(max, `Не больше ${max} дней`)
    .overwrite((list) => [...new Set(list)].toSorted());
const timeOfDay = z.string(missing).regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Время, например 10:00");
const sessions = z
  .array(
    z
      .strictObject({ days: z.array(z.enum(weekdays)).min(1, "Выберите дни"), from: timeOfDay, till: timeOfDay })
      .refine(({ from, till }) => from < till, { path: ["till"], error: "Конец позже начала" }),
  )
  .min(1, "Добавьте часы")
  .max(14);

const number = (field: NumberField) => {
  const { min, max, isFraction } = field;
  const message = `Число от ${trimmed(min, 3)} до ${trimmed(max, 3)}`;
  const plain = z
    .number(isFraction ? message : `Целое ${message.toLowerCase()}`)
    .min(min, message)
    .max(max, message);
  return isFraction ? plain : plain.int(`Целое ${message.toLowerCase()}`);
};

/** The service behind the https link of a messenger, by its host: «telegram», or the host itself. */
export function messengerId(href: string): string {
  const host = new URL(href).hostname.replace(/^www\./, "");
  return ["t.me", "telegram.me", "telegram.dog"].includes(host) || host.endsWith(".t.me") ? "telegram" : host;
}

/** A phone as links dial it. */
const dialled = (display: string): string => `tel:${normalisePhone(display) ?? display}`;
/** «Понедельник — четверг 10–18» within a sentence. */
const inSentence = (line: string): string => line.slice(0, 1).toLowerCase() + line.slice(1);

const wordNames = [
  "CITY",
  "DISTRICT",
  "ENTRANCE",
  "MAP_LINK",
  "EMAIL_ORDERS",
  "EMAIL_BUYBACK",
  "EMAIL_ACCOUNTING",
  "EMAIL_PRIVACY",
  "COMPLAINTS_PERSON",
] as const;
/** Sums in roubles within texts. */
const sumNames = ["CERT_FROM", "BUYBACK_SHIP_FROM"] as const;

/** The number that a sum of texts is, «100 000»; null: empty; the text itself when it is not a number. */
function numberIn(sum: string): number | string | null {
  const bare = sum.replaceAll(/\s/g, "");
  return bare === "" ? null : /^\d+$/.test(bare) ? Number(bare) : sum;
}
/** A sum that staff type as a number; it is stored and written in texts as «100 000», empty as «». */
const sumInTexts = (field: NumberField) =>
  z
    .preprocess((value) => (typeof value === "string" ? numberIn(value) : value), number(field).nullable())
    .transform((value) => (value === null ? "" : inGroups(value)));

const isWordSum = (stored: unknown): boolean => typeof stored === "string" && typeof numberIn(stored) === "string";

/** State number of a company (13 digits) or a sole trader (15) with its check digit. */
const isOgrn = (value: string): boolean =>
  /^(\d{13}|\d{15})$/.test(value) && Number((BigInt(value.slice(0, -1)) % BigInt(value.length - 2)) % 10n) === Number(value.at(-1));

const requisites = z
  .strictObject({
    LEGAL_NAME: text(),
    INN: text(12).refine(isInn, "Контрольные цифры ИНН не сходятся: проверьте номер"),
    KPP: optional(9),
    OGRN: text(15).refine(isOgrn, "Контрольная цифра ОГРН не сходится: проверьте номер"),
    ADDRESS: text(300),
    BANK: text(),
    BIK: text(9).regex(/^04\d{7}$/, "БИК — девять цифр, первые 04"),
    ACCOUNT: text(20).regex(/^\d{20}$/, "Счёт — двадцать цифр"),
    CORR_ACCOUNT: text(20).regex(/^\d{20}$/, "Счёт — двадцать цифр"),
  })
  .check(({ value, issues }) => {
    const wrong = (name: keyof typeof value, message: string) => issues.push({ code: "custom", path: [name], input: value[name], message });
    const isPerson = value.INN.length === 12;
    if (!(isPerson ? /^(\d{9})?$/ : /^\d{9}$/).test(value.KPP))
      wrong("KPP", isPerson ? "КПП — девять цифр или пусто" : "КПП — девять цифр");
    if (!isAccount(value.ACCOUNT, value.BIK.slice(-3))) wrong("ACCOUNT", "Контрольная цифра счёта не сходится с БИК");
    if (!isAccount(value.CORR_ACCOUNT, `0${value.BIK.slice(4, 6)}`)) wrong("CORR_ACCOUNT", "Контрольная цифра счёта не сходится с БИК");
  });

/** The seller's fields by the names that requisites have in the settings file and in texts. */
const sellerFields = {
  LEGAL_NAME: "name",
  INN: "inn",
  KPP: "kpp",
  ADDRESS: "address",
  BANK: "bank",
  BIK: "bic",
  ACCOUNT: "account",
  CORR_ACCOUNT: "corrAccount",
} as const;

type ContentGroup = Exclude<SettingKey, LimitKey>;
type LimitKey = (typeof limitKeys)[number];
const limitKeys = [
  "delivery",
  "payment",
  "lifetimes",
  "reservations",
  "purchases",
  "approvals",
  "messages",
  "requests",
  "sign_in",
  "rates",
  "storage",
  "staff",
  "load",
] as const;

const contentGroups: Readonly<Record<ContentGroup, SettingGroup>> = {
  identity: group({
    schema: z
      .strictObject({
        name: text(60),
        phones: z
          .array(z.strictObject({ display: phone }))
          .min(1, "Нужен хотя бы один телефон")
          .max(5),
        supportExtension: text(10),
        email,
        address: text(300),
        latitude: number(settingForms.identity.fields.latitude).nullable(),
        longitude: number(settingForms.identity.fields.longitude).nullable(),
        hours: z.array(text(100)).max(7),
      })
      .refine(({ latitude, longitude }) => (latitude === null) === (longitude === null), {
        path: ["longitude"],
        error: "Широта и долгота указываются вместе",
      }),
    read: ({ shop }) => ({
      name: shop.name,
      phones: shop.phones.map(({ display }) => ({ display })),
      supportExtension: shop.supportExtension,
      email: shop.email,
      address: shop.address,
      latitude: shop.coords?.lat ?? null,
      longitude: shop.coords?.lon ?? null,
      hours: [...shop.hours],
    }),
    apply: (settings, { latitude, longitude, phones, ...identity }) => {
      const { coords: _, ...shop } = settings.shop;
      const placeholders = {
        ...shop.placeholders,
        SHOP_NAME: identity.name,
        PHONE: phones[0]?.display ?? "",
        EMAIL: identity.email,
        HOURS: identity.hours.map(inSentence).join(", "),
      };
      return {
        ...settings,
        shop: {
          ...shop,
          ...identity,
          phones: phones.map(({ display }) => ({ display, href: dialled(display) })),
          placeholders,
          ...(latitude !== null && longitude !== null ? { coords: { lat: latitude, lon: longitude } } : {}),
        },
      };
    },
  }),
  messengers: group({
    schema: z.strictObject({ messengers: z.array(z.strictObject({ title: text(40), href: link })).max(6) }),
    read: ({ shop }) => ({ messengers: shop.messengers.map(({ title, href }) => ({ title, href })) }),
    apply: (settings, { messengers }) => ({
      ...settings,
      shop: { ...settings.shop, messengers: messengers.map((each) => ({ id: messengerId(each.href), ...each })) },
    }),
  }),
  ratings: group({
    schema: z.strictObject({
      ratings: z
        .array(
          z.strictObject({
            platform: text(60),
            value: text(3).regex(/^([1-4],\d|5,0)$/, "Оценка от 1,0 до 5,0"),
            isSample: z.boolean(),
          }),
        )
        .max(6),
    }),
    read: ({ shop }) => ({ ratings: shop.ratings.map((each) => ({ ...each })) }),
    apply: (settings, { ratings }) => ({ ...settings, shop: { ...settings.shop, ratings } }),
  }),
  texts: group({
    schema: z.strictObject({
      CITY: text(100),
      DISTRICT: optional(),
      ENTRANCE: optional(),
      MAP_LINK: z.union([z.literal(""), link], "Ссылка начинается с https://"),
      EMAIL_ORDERS: mailbox,
      EMAIL_BUYBACK: mailbox,
      EMAIL_ACCOUNTING: mailbox,
      EMAIL_PRIVACY: mailbox,
      COMPLAINTS_PERSON: optional(),
      CERT_FROM: sumInTexts(settingForms.texts.fields.CERT_FROM),
      BUYBACK_SHIP_FROM: sumInTexts(settingForms.texts.fields.BUYBACK_SHIP_FROM),
    }),
    read: ({ shop: { placeholders } }) => ({
      ...(Object.fromEntries(wordNames.map((name) => [name, placeholders[name] ?? ""])) as Record<(typeof wordNames)[number], string>),
      CERT_FROM: numberIn(placeholders.CERT_FROM ?? ""),
      BUYBACK_SHIP_FROM: numberIn(placeholders.BUYBACK_SHIP_FROM ?? ""),
    }),
    // Any text was accepted before. What is not a number is left out: a wrong sum would be a promise.
    upgrade: (stored) => ({
      ...stored,
      ...Object.fromEntries(sumNames.flatMap((name) => (isWordSum(stored[name]) ? [[name, ""]] : []))),
    }),
    apply: (settings, words) => {
      const isEmptySum = (name: string): boolean => (sumNames as readonly string[]).includes(name) && words[name as "CERT_FROM"] === "";
      const all = Object.entries({ ...settings.shop.placeholders, ...words });
      // A text has a dash for a sum that is missing, instead of nothing before «₽».
      return { ...settings, shop: { ...settings.shop, placeholders: Object.fromEntries(all.filter(([name]) => !isEmptySum(name))) } };
    },
  }),
  requisites: group({
    schema: requisites,
    read: ({ seller, shop }) => ({
      ...(Object.fromEntries(Object.entries(sellerFields).map(([name, field]) => [name, seller[field]])) as Record<
        keyof typeof sellerFields,
        string
      >),
      OGRN: shop.placeholders.OGRN ?? "",
    }),
    apply: (settings, values) => ({
      ...settings,
      shop: { ...settings.shop, placeholders: { ...settings.shop.placeholders, ...values } },
      seller: {
        ...settings.seller,
        ...Object.fromEntries(Object.entries(sellerFields).map(([name, field]) => [field, values[name as keyof typeof sellerFields]])),
      },
    }),
  }),
  taxes: group({
    schema: z.strictObject({
      system: z.enum(Object.keys(taxSystems) as [TaxSystem, ...TaxSystem[]], missing),
      simplifiedVatPercent: z.literal(simplifiedVatRates).nullable(),
      prepaymentVat: z.enum(["computed", "full"], missing),
      sendsTaxSystem: z.boolean(),
    }),
    read: ({ seller }) => ({ ...seller.tax }),
    apply: (settings, tax) => ({ ...settings, seller: { ...settings.seller, tax } }),
  }),
  market: group({
    schema: z.strictObject({ sessions, closed: daysList(200), extra: daysList(50) }),
    read: ({ market }) => structuredClone(market),
    apply: (settings, market) => ({ ...settings, market }),
  }),
  office: group({
    schema: z.strictObject({ sessions }),
    read: ({ office }) => ({ sessions: office.map((each) => ({ ...each, days: [...each.days] })) }),
    apply: (settings, { sessions: office }) => ({ ...settings, office }),
  }),
  courier: group({
    schema: z.strictObject({
      visits: z.array(z.strictObject({ days: z.array(z.enum(weekdays)).min(1, "Выберите дни"), at: timeOfDay })).max(14),
    }),
    read: ({ courier }) => ({ visits: courier.map((each) => ({ ...each, days: [...each.days] })) }),
    apply: (settings, { visits: courier }) => ({ ...settings, courier }),
  }),
};

/** A group whose fields are limits of the same names. */
function limitGroup(key: LimitKey): SettingGroup {
  const fields = Object.entries<SettingField>(settingForms[key].fields).flatMap(([name, field]) =>
    field.kind === "number" ? [[name as keyof Limits, field] as const] : [],
  );
  const names = fields.map(([name]) => name);
  const pick = (limits: Limits): Partial<Limits> => Object.fromEntries(names.map((name) => [name, limits[name]]));
  return group({
    schema: z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, number(field)]))).check(({ value, issues }) => {
      for (const [lower, upper, message] of limitOrders) {
        if (names.includes(lower) && names.includes(upper) && Number(value[lower]) >= Number(value[upper]))
          issues.push({ code: "custom", path: [lower], input: value[lower], message });
      }
    }),
    read: ({ limits }) => pick(limits) as Record<string, number>,
    apply: (settings, values) => ({ ...settings, limits: { ...settings.limits, ...values } }),
  });
}

export const settingGroups: Readonly<Record<SettingKey, SettingGroup>> = {
  ...contentGroups,
  ...(Object.fromEntries(limitKeys.map((key) => [key, limitGroup(key)])) as Record<LimitKey, SettingGroup>),
};

/** The limits of a group that the environment decides: those of the machine, and those set there. */
export const fixedFields = (key: SettingKey, fixedLimits: readonly string[]): string[] =>
  Object.entries<SettingField>(settingForms[key].fields).flatMap(([name, field]) =>
    Object.hasOwn(defaultLimits, name) && (fixedLimits.includes(name) || (field.kind === "number" && field.isOfMachine)) ? [name] : [],
  );

/** Why requisites and taxes contradict each other, in Russian; null: they do not. */
export const contradiction = ({ seller }: SettingsContent): string | null =>
  taxFault(seller.tax, seller.inn) === null
    ? null
    : seller.tax.system === "patent"
      ? "Патент бывает только у предпринимателя: в ИНН двенадцать цифр"
      : "Этот НДС есть только на упрощённой системе";
