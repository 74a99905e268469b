import { data } from "react-router";
import type { Entry } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { Ctx } from "#shop/context.ts";
import type { PlaceName } from "./content-pages.ts";

/** Questions that belong to a page, by its address. */
const groups: Readonly<Record<string, readonly string[]>> = {
  delivery: ["Доставка", "Оплата"],
  "how-to-buy": ["Цены и заказ", "Монеты"],
  return: ["Возврат"],
  "coin-buyback": ["Выкуп"],
  about: ["Данные"],
};

/** A plain page with the questions that belong to it; 404 when there is no such text. */
export async function readPlain(ctx: Ctx, slug: PlaceName) {
  const [page, questions] = await Promise.all([content.page(ctx, slug), content.questions(ctx)]);
  if (!page) throw data(null, { status: 404 });
  return {
    page: shown(page),
    questions: questions.filter(({ extra }) => extra.group !== undefined && groups[slug]?.includes(extra.group)).map(shown),
  };
}

const shown = ({ id, slug, title, html }: Entry) => ({ id, slug, title, html });
