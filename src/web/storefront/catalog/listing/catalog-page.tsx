import { useEffect, useRef } from "react";
import { data, redirect, useNavigate } from "react-router";
import { number } from "#kit/format.ts";
import { categoryPath } from "#shop/catalog/category.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Pagination } from "../../../ui/pagination.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { breadcrumbList, pageMeta, shortened } from "../../page/meta.ts";
import { pageQuery } from "../../page/page-query.ts";
import { home } from "../../page/page-tree.ts";
import { ListingBody } from "./listing-body.tsx";
import { filtersFrom } from "../filters/listing-filters.server.ts";
import { choiceFrom, firstPage, isNarrowed, maxPagesAtOnce, pagePath, searchOf, listingParameters } from "./listing-query.ts";
import { listingData, listingOf } from "./listing-data.ts";
import { listingView, sectionSizes } from "./listing-view.ts";
import type { Route } from "./+types/catalog-page.ts";
import "../catalog.css";
import { Link } from "../../../ui/link.tsx";

export const handle: PageHandle = { isPublic: true, parameters: listingParameters, hasLivePrices: true };

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { pageTitle, intro, page, publicUrl, trail, title, path } = loaderData;
  const description = intro === "" ? `${pageTitle}: цены сейчас, наличие и обратный выкуп.` : intro;
  return [
    ...pageMeta({
      title: page > 1 ? `${pageTitle}, страница ${page}` : pageTitle,
      description: shortened(page > 1 ? `Страница ${page}. ${description}` : description),
    }),
    breadcrumbList(publicUrl, [...trail, { title, href: path }]),
  ];
}

type Params = { section?: string; series?: string; part?: string; page?: string };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const shown = context.get(pageContext);
  const { ctx } = shown;
  const at = params as Params;
  const slug = [at.section, at.series, at.part].filter(Boolean).join("/");
  const page = at.page === undefined ? 1 : /^[1-9]\d{0,4}$/.test(at.page) ? Number(at.page) : 0;
  const categories = await search.categories(ctx);
  const { catalogue } = await siteParts.pageWords(ctx);
  // The whole catalogue is not a category in the database.
  const wholeCatalogue = { slug: "", title: "Каталог", heading: catalogue.heading, intro: catalogue.intro };
  const branch = categoryPath(categories, slug);
  const category = slug === "" ? wholeCatalogue : branch.at(-1);
  if (!category || page === 0) throw data(null, { status: 404 });
  if (at.page === "1") throw redirect(`${hrefOf(slug)}${pageQuery(request)}`, 301); // the first page has one address

  const query = new URL(request.url).searchParams;
  const chosen = choiceFrom(query);
  const first = firstPage(query, page);
  const numbers = Array.from({ length: page - first + 1 }, (_, nth) => first + nth);
  const listings = await Promise.all(numbers.map((number) => search.list(ctx, filtersFrom(chosen, slug, number))));
  const listing = { ...listings[0]!, items: listings.flatMap(({ items }) => items) };
  if (page > 1 && page > listing.pages) throw data(null, { status: 404 });

  const onlySeries = chosen.values.series.length === 1 ? chosen.values.series[0] : undefined;
  // The tabs are the subcategories of this listing; a listing without any shows its siblings.
  const sizes = sectionSizes(listing);
  const children = categories.filter(({ parent }) => parent === (slug || null));
  const parent = children.length > 0 ? category : (branch.at(-2) ?? wholeCatalogue);
  const tabs = children.length > 0 ? children : categories.filter((each) => each.parent === (parent.slug || null));
  return {
    listing: listingData(shown, listingView(listing)),
    note: { title: catalogue.noteTitle, paragraphs: catalogue.note },
    slug,
    page,
    first,
    chosen,
    title: category.title,
    pageTitle: category.heading,
    heading: category.heading,
    intro: (onlySeries && (await search.seriesText(ctx, onlySeries))) ?? category.intro,
    path: hrefOf(slug),
    publicUrl: ctx.settings.publicUrl.replace(/\/$/, ""),
    trail: [
      { title: home.title, href: home.href },
      ...(slug === "" ? [] : [wholeCatalogue, ...branch.slice(0, -1)]).map((each) => ({ title: each.title, href: hrefOf(each.slug) })),
    ],
    tabs: [{ slug: parent.slug, title: "Все" }, ...tabs].map((each) => ({
      slug: each.slug,
      title: each.title,
      size: each.slug === slug ? listing.total : (sizes[each.slug] ?? null),
    })),
  };
}

const hrefOf = (slug: string): string => (slug === "" ? "/catalog" : `/catalog/${slug}`);

export default function CatalogPage({ loaderData }: Route.ComponentProps) {
  const { page, first, slug, path, chosen, trail, title, heading, intro, tabs, note } = loaderData;
  const listing = listingOf(loaderData.listing);
  const { cards, total, pages, pageSize } = listing;
  const query = searchOf(chosen);
  const pageHref = (n: number) => pagePath(path, query, n);

  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={trail} here={title} />
      <div className="catalog__head">
        <h1>{heading}</h1>
        {intro !== "" && <p>{intro}</p>}
      </div>
      {tabs.length > 1 && (
        <nav className="tabs" aria-label="Разделы">
          <CachedFragment as="ul" of={Tabs} props={{ tabs, slug }} />
        </nav>
      )}
      <ListingBody
        list={{ path, base: "" }}
        chosen={chosen}
        listing={listing}
        empty={<EmptyList path={path} isNarrowed={isNarrowed(chosen)} />}
      >
        {(isBusy) => (
          <>
            {page < pages && (
              <ShowMore
                to={pagePath(path, query, page + 1, page + 1 - first < maxPagesAtOnce ? first : page + 1)}
                left={total - page * pageSize}
                pageSize={pageSize}
                shown={cards.length}
                isBusy={isBusy}
              />
            )}
            <Pagination page={page} first={first} pages={pages} total={total} pageSize={pageSize} hrefOf={pageHref} />
          </>
        )}
      </ListingBody>
      {intro !== "" && <p className="catalog__intro">{intro}</p>}
      {note.title && (
        <section className="catalog__note">
          <h2>{note.title}</h2>
          <div>
            {note.paragraphs.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        </section>
      )}
    </main>
  );
}

type TabsProps = { tabs: { slug: string; title: string; size: number | null }[]; slug: string };

const Tabs = ({ tabs, slug }: TabsProps) =>
  tabs.map((tab) => (
    <li key={tab.slug}>
      <Link to={hrefOf(tab.slug)} aria-current={tab.slug === slug ? "page" : undefined}>
        {tab.title}
        {tab.size !== null && <span className="digits">{number(tab.size)}</span>}
      </Link>
    </li>
  ));

/**
 * Shows the next page below this one. The scroll position stays, and the focus moves to the first new coin. Until scripts are loaded, the
 * link loads the page, which opens at the first new coin.
 */
function ShowMore({ to, left, pageSize, shown, isBusy }: { to: string; left: number; pageSize: number; shown: number; isBusy: boolean }) {
  const paragraph = useRef<HTMLParagraphElement>(null);
  const shownBefore = useRef<number | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const before = shownBefore.current;
    if (before === null || shown <= before) return;
    shownBefore.current = null;
    paragraph.current?.parentElement?.querySelectorAll<HTMLElement>(".card__link")[before]?.focus({ preventScroll: true });
  }, [shown]);
  return (
    <p className="catalog__more" ref={paragraph}>
      <Link
        className="button button--line"
        to={`${to}#place-${shown + 1}`}
        rel="nofollow"
        aria-busy={isBusy}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          shownBefore.current = shown;
          void navigate(to, { preventScrollReset: true, replace: true });
        }}
      >
        Показать ещё {number(Math.min(left, pageSize))}
      </Link>
    </p>
  );
}

function EmptyList({ path, isNarrowed: hasFilters }: { path: string; isNarrowed: boolean }) {
  return (
    <div className="empty">
      <h2>Таких монет сейчас нет</h2>
      <p className="lead">{hasFilters ? "Снимите часть фильтров: сочетание оказалось слишком строгим." : "В этом разделе пока пусто."}</p>
      <ButtonLink variant="line" to={hasFilters ? path : "/catalog"}>
        {hasFilters ? "Сбросить фильтры" : "Весь каталог"}
      </ButtonLink>
    </div>
  );
}
