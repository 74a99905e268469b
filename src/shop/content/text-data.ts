import * as z from "zod";
import { isSitePath, type ContentKind } from "./entry.ts";
import { isPicture } from "./markdown.ts";

/** What editors write: the data of each kind of text, as drafts and versions store it. Messages are shown beside the fields. */

const required = "Обязательное поле";
const line = (max: number) => z.string().trim().max(max);
const requiredLine = (max: number) => line(max).min(1, required);
const day = z.iso.date("Укажите день");

/** Lower-case Latin letters, digits and hyphens. Not a number alone: numbers in addresses are ids. */
const slug = z
  .string()
  .min(3, "Не короче трёх знаков")
  .max(120)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Только латинские буквы, цифры и дефисы, как в адресе: kak-kupit")
  .refine((text) => !/^\d+$/.test(text), "Адрес из одних цифр занят номерами текстов")
  .refine((text) => text !== "page", "Этот адрес занят страницами списка");

/** Markdown with `{{PLACEHOLDER}}`s. */
const body = z.string().trim().min(1, "Напишите текст").max(60_000);
const lines = (max: number) => z.array(requiredLine(300)).max(max);

/** A picture of the text with words for those who do not see it. Null: one of the shop's own pictures. */
const cover = z
  .strictObject({
    picture: z.string().refine(isPicture, "Загрузите картинку"),
    alt: requiredLine(200),
  })
  .nullable();

const named = { title: requiredLine(200), slug, lead: requiredLine(600), body };

export const textData = {
  news: z.strictObject({ kind: z.literal("news"), ...named, publishedOn: day, tags: z.array(requiredLine(40)).max(8), cover }),
  training: z.strictObject({
    kind: z.literal("training"),
    ...named,
    minutes: z.int().min(1, "От одной минуты").max(120),
    /** Slugs of categories. */
    related: z.array(z.string().max(150)).max(12),
    cover,
  }),
  case: z.strictObject({ kind: z.literal("case"), ...named, facts: lines(12) }),
  promo: z
    .strictObject({ kind: z.literal("promo"), ...named, startsAt: day, endsAt: day, conditions: lines(12), cover })
    .refine(({ startsAt, endsAt }) => startsAt <= endsAt, { path: ["endsAt"], message: "Конец раньше начала" }),
  faq: z.strictObject({ kind: z.literal("faq"), title: requiredLine(300), body, group: requiredLine(80) }),
  /** `lead` is the description for search engines; if empty, the beginning of the text is used. Drafts of earlier releases have none. */
  page: z.strictObject({ kind: z.literal("page"), title: requiredLine(200), lead: line(300).default(""), body }),
  document: z
    .strictObject({
      kind: z.literal("document"),
      title: requiredLine(200),
      path: z.string().trim().refine(isSitePath, "Адрес из частей через /: латинские буквы, цифры, дефисы, например /dogovor"),
      description: line(300),
      body,
      parentPath: z.string().nullable(),
      /** A text with legal meaning: each published edition gets its day, and the days of earlier ones stay. */
      hasEditions: z.boolean(),
    })
    .refine(({ path, parentPath }) => path !== parentPath, { path: ["parentPath"], message: "Страница не может лежать в самой себе" }),
} as const;

export type TextKind = keyof typeof textData;
export const textKinds = Object.keys(textData) as TextKind[];
export type TextData<K extends TextKind = TextKind> = { [Kind in K]: z.output<(typeof textData)[Kind]> }[K];

export const isEntryKind = (kind: string): kind is ContentKind => kind !== "document" && Object.hasOwn(textData, kind);
