import { data, Link } from "react-router";
import * as catalog from "#shop/catalog/service.ts";
import { entryHref, type ContentKind } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { Ctx } from "#shop/context.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { day, nbsp } from "../../ui/format.ts";
import { breadcrumbList, pageMeta, shortened, structured } from "../meta.ts";
import { bannerOf, coverOf } from "./covers.ts";
import { Prose } from "./prose.tsx";
import type { Route } from "./+types/article-page.ts";

const sections = {
  news: { kind: "news", title: "Блог", href: "/news" },
  training: { kind: "training", title: "Обучение для новичков", href: "/training" },
  cases: { kind: "case", title: "Кейсы", href: "/cases" },
  promo: { kind: "promo", title: "Акции", href: "/promo" },
} as const satisfies Record<string, { kind: ContentKind; title: string; href: string }>;

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, lead, publicUrl, section, href, publishedOn } = loaderData;
  return [
    ...pageMeta({ title, description: shortened(lead) }),
    breadcrumbList(publicUrl, [{ title: "Главная", href: "/" }, { title: section.title, href: section.href }, { title, href }]),
    structured({ "@type": "Article", headline: title, description: lead, url: `${publicUrl}${href}`, ...(publishedOn ? { datePublished: publishedOn } : {}) }),
  ];
}

/** A text is found by its address or by its number: old links carry numbers. */
const find = async (ctx: Ctx, kind: ContentKind, name: string) => (/^\d+$/.test(name) ? content.byId(ctx, kind, Number(name)) : content.bySlug(ctx, kind, name));

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const name = new URL(request.url).pathname.split("/")[1] ?? "";
  const section = Object.hasOwn(sections, name) ? sections[name as keyof typeof sections] : null;
  const entry = section && (await find(ctx, section.kind, params.slug));
  if (!section || !entry) throw data(null, { status: 404 });
  const [{ items }, categories] = await Promise.all([content.list(ctx, section.kind), catalog.categories(ctx)]);
  const { extra, kind } = entry;
  return {
    section, id: entry.id, title: entry.title, lead: entry.lead, html: entry.html, publishedOn: entry.publishedOn, isDemo: entry.isDemo, href: entryHref(entry) ?? section.href,
    publicUrl: ctx.settings.publicUrl.replace(/\/$/, ""),
    cover: kind === "promo" ? bannerOf(entry.id) : kind === "news" ? coverOf(entry.id) : null,
    facts: extra.facts ?? extra.conditions ?? [], minutes: extra.minutes ?? null, startsAt: extra.startsAt ?? null, endsAt: extra.endsAt ?? null,
    related: (extra.related ?? []).flatMap((slug) => categories.find((each) => each.slug === slug) ?? []).map(({ slug, title }) => ({ slug, title })),
    others: items.filter(({ id }) => id !== entry.id).slice(0, 4).map((each) => ({ href: entryHref(each) ?? section.href, title: each.title })),
  };
}

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  const { section, title, lead, html, publishedOn, isDemo, cover, facts, minutes, startsAt, endsAt, related, others } = loaderData;
  return (
    <main id="main" className="wrap">
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }, { title: section.title, href: section.href }]} here={title} />
      <article>
        <header className="article__head">
          <p className="eyebrow">
            {publishedOn && <time dateTime={publishedOn}>{day(publishedOn)}</time>}
            {minutes !== null && <>{minutes}{nbsp}мин чтения</>}
            {startsAt && endsAt && <>С {day(startsAt)} по {day(endsAt)}</>}
            {isDemo && "Пример: история вымышлена"}
          </p>
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
        </header>
        {cover && <div className="article__pic"><img src={cover} width="960" height="540" alt="" /></div>}
        <div className="text">
          <div>
            {facts.length > 0 && <ul className="article__facts">{facts.map((fact) => <li key={fact}>{fact}</li>)}</ul>}
            <Prose html={html} />
            {related.length > 0 && <p className="article__rel">{related.map(({ slug, title: name }) => <Link key={slug} className="chip" to={`/catalog/${slug}`} prefetch="intent">{name}</Link>)}</p>}
          </div>
          {others.length > 0 && (
            <nav className="text__nav" aria-label="Читать ещё">
              <h2>Читать ещё</h2>
              <ul>{others.map(({ href, title: name }) => <li key={href}><Link to={href} prefetch="intent">{name}</Link></li>)}</ul>
            </nav>
          )}
        </div>
      </article>
    </main>
  );
}
