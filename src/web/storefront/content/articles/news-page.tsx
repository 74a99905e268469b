import { data, href, redirect } from "react-router";
import { day } from "#kit/format.ts";
import { newsPageSize } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Pagination } from "../../../ui/pagination.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { pageQuery } from "../../page/page-query.ts";
import { PageHead, contentMeta, publicUrlOf } from "../page-head.tsx";
import { contentPages } from "../content-pages.ts";
import { coverOf } from "./covers.server.ts";
import { PictureList } from "./text-lists.tsx";
import type { Route } from "./+types/news-page.ts";

const node = contentPages.news;
export const handle: PageHandle = { isPublic: true, node };

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const page = loaderData?.page ?? 1;
  return [
    ...contentMeta(matches, {
      title: page > 1 ? `Блог, страница ${page}` : "Блог о монетах",
      description: `Новости магазина и рынка: выпуски монет, график работы, налоги и законы.${page > 1 ? ` Страница ${page}.` : ""}`,
    }),
    {
      tagName: "link",
      rel: "alternate",
      type: "application/rss+xml",
      title: "Блог",
      href: `${publicUrlOf(matches)}${href("/news/rss.xml")}`,
    },
  ];
}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const { page: pageParam } = params;
  if (pageParam === "1") throw redirect(`${href("/news")}${pageQuery(request)}`, 301); // the first page has one address
  const page = pageParam === undefined ? 1 : /^[1-9]\d{0,4}$/.test(pageParam) ? Number(pageParam) : 0;
  if (page === 0) throw data(null, { status: 404 });
  const { items, total, pages } = await content.list(ctx, "news", page);
  if (page > 1 && page > pages) throw data(null, { status: 404 });
  return {
    page,
    pages,
    total,
    items: items.map((each) => {
      const { id, slug, title, lead, publishedOn, extra } = each;
      return { id, slug, title, lead, publishedOn, tags: extra.tags ?? [], picture: coverOf(each) ?? "" };
    }),
  };
}

export default function NewsPage({ loaderData: { items, page, pages, total } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <PageHead>
        {page > 1 ? (
          <>
            Блог, страница <span className="digits">{page}</span>
          </>
        ) : (
          "Блог"
        )}
      </PageHead>
      <PictureList
        height={675}
        hasLargeFirst={page === 1}
        items={items.map(({ id, slug, title, lead, publishedOn, tags, picture }) => ({
          id,
          href: href("/news/:slug", { slug }),
          title,
          lead,
          picture,
          eyebrow: (
            <>
              {publishedOn && <time dateTime={publishedOn}>{day(publishedOn)}</time>}
              {tags.length > 0 && ` · ${tags.join(", ")}`}
            </>
          ),
        }))}
      />
      <Pagination
        page={page}
        pages={pages}
        total={total}
        pageSize={newsPageSize}
        hrefOf={(n) => (n === 1 ? href("/news") : href("/news/page/:page", { page: String(n) }))}
      />
    </main>
  );
}
