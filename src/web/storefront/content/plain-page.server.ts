import { data } from "react-router";
import type { Entry } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { Ctx } from "#shop/context.ts";
import type { ContentPageName } from "./content-pages.ts";

/** The question groups of each page, by its address. */
const questionGroups: Readonly<Record<string, readonly string[]>> = {
  delivery: ["Доставка", "Оплата"],
  "how-to-buy": ["Цены и заказ", "Монеты"],
  return: ["Возврат"],
  "coin-buyback": ["Выкуп"],
  about: ["Данные"],
};

/** Loads a plain page with its questions; throws a 404 when there is no such text. */
export async function loadPlainPage(ctx: Ctx, slug: ContentPageName) {
  const [page, questions] = await Promise.all([content.page(ctx, slug), content.questions(ctx)]);
  if (!page) throw data(null, { status: 404 });
  return {
    page: entryView(page),
    questions: questions.filter(({ extra }) => extra.group !== undefined && questionGroups[slug]?.includes(extra.group)).map(entryView),
  };
}

const entryView = ({ id, slug, title, html }: Entry) => ({ id, slug, title, html });
