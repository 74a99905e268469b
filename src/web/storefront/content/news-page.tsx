import { data, Link } from "react-router";
import { newsPageSize } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { day } from "../../ui/format.ts";
import { Pagination } from "../../ui/pagination.tsx";
import { pageMeta } from "../meta.ts";
import { coverOf } from "./covers.ts";
import type { Route } from "./+types/news-page.ts";
import "../../styles/content.css";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: loaderData && loaderData.page > 1 ? `Блог, страница ${loaderData.page}` : "Блог", description: "Новости магазина и рынка: выпуски монет, график работы, налоги и законы." });
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const { page: asked } = params;
  const page = asked === undefined ? 1 : /^[1-9]\d{0,4}$/.test(asked) ? Number(asked) : 0;
  if (page === 0) throw data(null, { status: 404 });
  const { items, total, pages } = await content.list(ctx, "news", page);
  if (page > 1 && page > pages) throw data(null, { status: 404 });
  return { page, pages, total, items: items.map(({ id, slug, title, lead, publishedOn, extra }) => ({ id, slug, title, lead, publishedOn, tags: extra.tags ?? [] })) };
}

export default function NewsPage({ loaderData: { items, page, pages, total } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here="Блог" />
      <h1 className="text__h1">Блог</h1>
      <ul className="notes">
        {items.map(({ id, slug, title, lead, publishedOn, tags }, index) => (
          <li key={id} className={index === 0 && page === 1 ? "note note--first" : "note"}>
            <Link to={`/news/${slug}`} prefetch="intent">
              <span className="note__pic"><img src={coverOf(id)} width="960" height="540" alt="" loading={index === 0 ? "eager" : "lazy"} /></span>
              <span className="note__t">
                <span className="eyebrow">{publishedOn && <time dateTime={publishedOn}>{day(publishedOn)}</time>}{tags.length > 0 && ` · ${tags.join(", ")}`}</span>
                <h2>{title}</h2>
                <p>{lead}</p>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Pagination page={page} pages={pages} total={total} pageSize={newsPageSize} hrefOf={(n) => (n === 1 ? "/news" : `/news/page/${n}`)} />
    </main>
  );
}
