import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
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

/** An instant as the browser's field shows it, Moscow time; «» for none, and what was typed while it is not an instant. */
export const toField = (instant: string | null): string => {
  if (instant === null) return "";
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? instant : isoMoscow(at).slice(0, 16);
};
/** What the field holds as an instant; null: empty. Years of five digits, which it allows, stay as typed: the server refuses them. */
export const fromField = (text: string): string | null => {
  if (text === "") return null;
  const at = fromMoscow(text.slice(0, 10), text.slice(11));
  return Number.isNaN(at.getTime()) ? text : isoMoscow(at);
};

/** A value of a form as text; «» for everything that is none. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
