import type { EditableState, VersionEvent } from "#shop/content/editing/editable.ts";
import type { PartKind } from "#shop/content/site/parts.ts";
import type { TextKind } from "#shop/content/text-data.ts";

export const kindWords: Readonly<Record<TextKind, { list: string; one: string; make: string | null }>> = {
  news: { list: "Новости", one: "Новость", make: "Новая новость" },
  training: { list: "Статьи", one: "Статья", make: "Новая статья" },
  case: { list: "Кейсы", one: "Кейс", make: "Новый кейс" },
  promo: { list: "Акции", one: "Акция", make: "Новая акция" },
  faq: { list: "Вопросы", one: "Вопрос", make: "Новый вопрос" },
  page: { list: "Страницы", one: "Страница", make: null },
  document: { list: "Документы", one: "Документ", make: "Новый документ" },
};
export const isTextKind = (kind: string): kind is TextKind => Object.hasOwn(kindWords, kind);

export const partWords: Readonly<Record<PartKind, string>> = {
  home: "Главная страница",
  banner: "Строка над шапкой",
  menu: "Меню",
  questions: "Разделы вопросов",
  films: "Фильмы монет",
  pages: "Слова страниц",
};

export const stateWords: Readonly<Record<EditableState, string>> = {
  draft: "Черновик",
  scheduled: "По расписанию",
  published: "На сайте",
  changed: "На сайте, есть правки",
};

export const eventWords: Readonly<Record<VersionEvent, string>> = {
  saved: "Черновик",
  scheduled: "Поставлено в расписание",
  published: "Опубликовано",
  taken_down: "Снято",
  restored: "Возвращена прежняя версия",
};

/** An instant as the browser's field shows it, Moscow time; «» for none. */
export const toField = (instant: string | null): string => {
  if (instant === null) return "";
  const shifted = new Date(Date.parse(instant) + 10_800_000);
  return shifted.toISOString().slice(0, 16);
};
/** What the field holds as an instant; null: empty. */
export const fromField = (text: string): string | null => (text === "" ? null : `${text}:00+03:00`);

/** A value of a form as text; «» for everything that is none. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
