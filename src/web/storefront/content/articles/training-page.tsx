import { nbsp } from "#kit/format.ts";
import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { PageHead, contentMeta } from "../page-head.tsx";
import { contentPages } from "../content-pages.ts";
import { LessonList } from "./text-lists.tsx";
import type { Route } from "./+types/training-page.ts";

const node = contentPages.training;
export const handle: PageHandle = { isPublic: true, node };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return contentMeta(matches, { description: loaderData?.intro });
}

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const [{ items }, { trainingIntro }] = await Promise.all([content.list(ctx, "training"), siteParts.pageWords(ctx)]);
  return {
    intro: content.filledText(ctx, trainingIntro) || undefined,
    items: items.map((each) => ({
      id: each.id,
      href: entryHref(each) ?? node.href,
      title: each.title,
      lead: each.lead,
      minutes: each.extra.minutes ?? null,
    })),
  };
}

export default function TrainingPage({ loaderData: { intro, items } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <PageHead />
      {intro && <p className="lead">{intro}</p>}
      <LessonList
        items={items.map(({ minutes, ...item }) => ({
          ...item,
          note: minutes !== null && (
            <span className="digits">
              {minutes}
              {nbsp}мин
            </span>
          ),
        }))}
      />
    </main>
  );
}
