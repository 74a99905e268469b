import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { PageHead, contentMeta } from "../page-head.tsx";
import { contentPages } from "../content-pages.ts";
import { LessonList } from "./text-lists.tsx";
import type { Route } from "./+types/cases-page.ts";

const node = contentPages.cases;
export const handle: PageHandle = { isPublic: true, node };
export function meta({ matches }: Route.MetaArgs) {
  return contentMeta(matches, {
    title: "Кейсы покупателей",
    description: "Как покупают, копят, дарят и наследуют монеты: разобранные истории с числами.",
  });
}

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const { items } = await content.list(ctx, "case");
  return {
    items: items.map((each) => ({
      id: each.id,
      href: entryHref(each) ?? node.href,
      title: each.title,
      lead: each.lead,
      fact: each.extra.facts?.[0] ?? "",
      isDemo: each.isDemo,
    })),
  };
}

export default function CasesPage({ loaderData: { items } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <PageHead />
      {items.some(({ isDemo }) => isDemo) && (
        <p className="eyebrow">Истории с пометкой «образец» вымышлены, чтобы показать, как это бывает.</p>
      )}
      {items.length === 0 && <p className="lead">Скоро здесь появятся разобранные истории покупателей.</p>}
      <LessonList
        items={items.map(({ fact, isDemo, ...item }) => ({
          ...item,
          note: <span>{[fact, isDemo && "образец"].filter(Boolean).join(" · ")}</span>,
        }))}
      />
    </main>
  );
}
