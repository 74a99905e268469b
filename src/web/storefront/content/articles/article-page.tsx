import { data, Link, redirect, redirectDocument } from "react-router";
import { day, nbsp } from "#kit/format.ts";
import * as catalog from "#shop/catalog/service.ts";
import { entryHref, type ContentKind } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import { moscow } from "#kit/moscow-time.ts";
import type { Ctx } from "#shop/context.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { shortened, structured } from "../../page/meta.ts";
import { pageQuery } from "../../page/page-query.ts";
import { coverOf } from "./covers.server.ts";
import { contentMeta, publicUrlOf, shopNameOf } from "../page-head.tsx";
import { ancestorsOf, type PageNode } from "../../page/page-tree.ts";
import { contentPageAt, contentPages } from "../content-pages.ts";
import { Prose } from "../prose.tsx";
import type { Route } from "./+types/article-page.ts";

const kinds: Partial<Record<string, ContentKind>> = {
  [contentPages.news.href]: "news",
  [contentPages.training.href]: "training",
  [contentPages.cases.href]: "case",
  [contentPages.promo.href]: "promo",
};

/** The node of the section; the loader returns that of the article. */
export const handle: PageHandle = { isPublic: true, node: contentPageAt };

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, lead, place: node, publishedOn, cover } = loaderData;
  const publicUrl = publicUrlOf(matches);
  const image = cover ? `${publicUrl}${cover}` : undefined;
  return [
    ...contentMeta(matches, { node, description: shortened(lead), image }),
    structured({
      "@type": "Article",
      headline: title,
      description: lead,
      url: `${publicUrl}${node.href}`,
      ...(publishedOn ? { datePublished: publishedOn } : {}),
      ...(image ? { image } : {}),
      author: { "@type": "Organization", name: shopNameOf(matches), url: publicUrl },
    }),
  ];
}

/** Finds a text by its slug or its number, which old links have. */
const find = async (ctx: Ctx, kind: ContentKind, name: string) =>
  /^\d+$/.test(name) ? content.byId(ctx, kind, Number(name)) : content.bySlug(ctx, kind, name);

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const { pathname } = new URL(request.url);
  const section = contentPageAt(pathname);
  const name = params.slug ?? pathname.replace(/\.data$/, "").split("/")[2] ?? "";
  const kind = section && kinds[section.href];
  const entry = kind && (await find(ctx, kind, name));
  if (!kind || !entry) {
    const away = await content.redirectFrom(ctx, `${section?.href ?? ""}/${name}`); // a former address of a text
    if (away) throw away.isExternal ? redirectDocument(away.target, 308) : redirect(`${away.target}${pageQuery(request)}`, 308);
    throw data(null, { status: 404, statusText: "Page not found" });
  }
  const own = entryHref(entry) ?? section.href;
  if (own !== `${section.href}/${name}`) throw redirect(`${own}${pageQuery(request)}`, 308); // each text has one address
  const [{ items }, categories] = await Promise.all([content.list(ctx, kind), catalog.categories(ctx)]);
  const { extra } = entry;
  const node: PageNode = { title: entry.title, href: own, parent: section };
  return {
    place: node,
    id: entry.id,
    title: entry.title,
    lead: entry.lead,
    html: entry.html,
    publishedOn: entry.publishedOn,
    isDemo: entry.isDemo,
    cover: coverOf(entry),
    coverAlt: extra.cover?.alt ?? "",
    facts: extra.facts ?? extra.conditions ?? [],
    minutes: extra.minutes ?? null,
    startsAt: extra.startsAt ?? null,
    endsAt: extra.endsAt ?? null,
    isOver: extra.endsAt !== undefined && extra.endsAt < moscow(ctx.now()).date,
    related: (extra.related ?? [])
      .flatMap((slug) => categories.find((each) => each.slug === slug) ?? [])
      .map(({ slug, title }) => ({ slug, title })),
    others: items
      .filter(({ id }) => id !== entry.id)
      .slice(0, 4)
      .map((each) => ({ href: entryHref(each) ?? section.href, title: each.title })),
  };
}

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  const {
    place: node,
    title,
    lead,
    html,
    publishedOn,
    isDemo,
    cover,
    coverAlt,
    facts,
    minutes,
    startsAt,
    endsAt,
    isOver,
    related,
    others,
  } = loaderData;
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={ancestorsOf(node)} here={title} />
      <article>
        <header className="article__head">
          <p className="eyebrow">
            {publishedOn && <time dateTime={publishedOn}>{day(publishedOn)}</time>}
            {minutes !== null && (
              <>
                {minutes}
                {nbsp}мин чтения
              </>
            )}
            {startsAt && endsAt && (
              <>
                {isOver && "Завершена. "}С {day(startsAt)} по {day(endsAt)}
              </>
            )}
            {isDemo && "Образец: история вымышлена"}
          </p>
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
        </header>
        {cover && (
          <div className="article__picture">
            <img src={cover} width="1200" height="675" alt={coverAlt} />
          </div>
        )}
        <div className="text">
          <div>
            {facts.length > 0 && (
              <ul className="article__facts">
                {facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
            )}
            <Prose html={html} />
            {related.length > 0 && (
              <p className="article__related">
                {related.map(({ slug, title: name }) => (
                  <Link key={slug} className="chip" to={`/catalog/${slug}`}>
                    {name}
                  </Link>
                ))}
              </p>
            )}
          </div>
          {others.length > 0 && (
            <nav className="text__menu" aria-label="Читать ещё">
              <h2>Читать ещё</h2>
              <ul>
                {others.map(({ href, title: name }) => (
                  <li key={href}>
                    <Link to={href}>{name}</Link>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </div>
      </article>
    </main>
  );
}
