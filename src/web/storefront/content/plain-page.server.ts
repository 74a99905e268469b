import { data } from "react-router";
import type { Entry } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { PageContext } from "#web/context.server.ts";
import type { ContentPageName } from "./content-pages.ts";

/** Loads a plain page with its questions; throws a 404 when there is no such text. */
export async function loadPlainPage({ ctx, isRefused }: Pick<PageContext, "ctx" | "isRefused">, slug: ContentPageName) {
  const [page, questions, groups] = await Promise.all([
    content.page(ctx, slug),
    content.questions(ctx),
    siteParts.questionGroups(ctx, slug),
  ]);
  if (!page) throw data(null, { status: 404 });
  return {
    isRefused,
    page: { ...entryView(page), description: page.lead },
    questions: questions.filter(({ extra }) => extra.group !== undefined && groups.includes(extra.group)).map(entryView),
  };
}

const entryView = ({ id, slug, title, html }: Entry) => ({ id, slug, title, html });
