import { type MouseEvent, useEffect, useRef, useState } from "react";
import { data, Link, redirect, useNavigate, useNavigation } from "react-router";
import { categoryPath, type Category } from "#shop/catalog/category.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { newestLocation } from "#web/router-state.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { coinForms, number, plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { PageHandle } from "../frame/frame.tsx";
import { breadcrumbList, pageMeta, shortened } from "../meta.ts";
import { ownQuery } from "../own-query.ts";
import { above, type Place } from "../content/places.ts";
import { CoinGrid } from "./coin-card.tsx";
import { Filters } from "./filters.tsx";
import { filtersFrom } from "./listing-filters.server.ts";
import { type Chosen, chosenFrom, countChosen, facetNames, facetTitles, firstPage, isNarrowed, mostPagesAtOnce, pagePath, searchOf, sortTitles, without } from "./listing-query.ts";
import { listingView } from "./listing-view.ts";
import { catalogue, listingAt, listingPlace, listingTitle } from "./listings.ts";
import type { Route } from "./+types/catalog-page.ts";
import "../../styles/catalog.css";

/** Display name and parent category of the listing at this address. */
export const handle: PageHandle = { hasLivePrices: true, place: listingAt };

/** The whole catalogue has no row among the categories. */
const everything = {
  slug: "", title: "Каталог", heading: "Каталог монет",
  intro: "Инвестиционные и памятные монеты из золота и серебра. Рядом с каждой ценой — премия к металлу и сумма, за которую мы купим монету обратно.",
};

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { pageTitle, intro, page, publicUrl, trail, title, path } = loaderData;
  return [
    ...pageMeta({ title: page > 1 ? `${pageTitle}, страница ${page}` : pageTitle, description: page > 1 ? shortened(`Страница ${page}. ${intro}`) : shortened(intro) }),
    breadcrumbList(publicUrl, [...trail, { title, href: path }]),
  ];
}

type Params = { section?: string; series?: string; part?: string; page?: string };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const at = params as Params;
  const slug = [at.section, at.series, at.part].filter(Boolean).join("/");
  const page = at.page === undefined ? 1 : /^[1-9]\d{0,4}$/.test(at.page) ? Number(at.page) : 0;
  const categories = await search.categories(ctx);
  const way = categoryPath(categories, slug);
  const category = slug === "" ? everything : way.at(-1);
  if (!category || page === 0) throw data(null, { status: 404 });
  if (at.page === "1") throw redirect(`${hrefOf(slug)}${ownQuery(request)}`, 301); // the first page has one address

  const query = new URL(request.url).searchParams;
  const chosen = chosenFrom(query);
  const first = firstPage(query, page);
  const numbers = Array.from({ length: page - first + 1 }, (_, nth) => first + nth);
  const listings = await Promise.all(numbers.map((number) => search.list(ctx, filtersFrom(chosen, slug, number))));
  const listing = { ...listings[0]!, items: listings.flatMap(({ items }) => items) };
  if (page > 1 && page > listing.pages) throw data(null, { status: 404 });

  // The tabs: what this listing is parted into; a leaf shows its neighbours instead.
  const view = listingView(listing);
  const place = listingPlace(slug) ?? ownPlace(way);
  const children = categories.filter(({ parent }) => parent === (slug || null));
  const parent = children.length > 0 ? category : (way.at(-2) ?? everything);
  const tabs = children.length > 0 ? children : categories.filter((each) => each.parent === (parent.slug || null));
  return {
    ...view,
    slug, page, first, chosen, title: place.title, pageTitle: listingTitle(slug) ?? category.heading, heading: category.heading, intro: category.intro,
    path: hrefOf(slug), publicUrl: ctx.settings.publicUrl.replace(/\/$/, ""),
    trail: above(place).map((each) => ({ title: each.title, href: each.href })),
    tabs: [{ slug: parent.slug, title: "Все" }, ...tabs].map((each) => ({
      slug: each.slug, title: each.title, size: each.slug === slug ? listing.total : (view.sizes[each.slug] ?? null),
    })),
  };
}

/** A category of the owner's own stands where the database puts it. */
const ownPlace = (way: readonly Category[]): Place =>
  way.reduce<Place>((parent, { slug, title }) => listingPlace(slug) ?? { title, href: hrefOf(slug), parent }, catalogue);

const hrefOf = (slug: string): string => (slug === "" ? "/catalog" : `/catalog/${slug}`);

export default function CatalogPage({ loaderData }: Route.ComponentProps) {
  const { cards, total, pages, page, first, pageSize, facets, price, years, slug, path, chosen, trail, title, heading, intro, tabs } = loaderData;
  const [isSheetOpen, setSheetOpen] = useState(false);
  // Before the scripts came the button was a link, and the address holds the sheet open: from here on the page does, which can close it.
  useEffect(() => {
    if (location.hash !== "#filters") return;
    location.replace("#catalog");
    setSheetOpen(true);
  }, []);
  const navigation = useNavigation();
  const isBusy = navigation.state === "loading" && navigation.location.pathname.startsWith("/catalog");
  const query = searchOf(chosen);
  const pageHref = (n: number) => pagePath(path, query, n);
  const count = countChosen(chosen);

  return (
    <main id="main" className="wrap">
      <Breadcrumbs trail={trail} here={title} />
      <div className="cat__head"><h1>{heading}</h1><p>{intro}</p></div>
      {tabs.length > 1 && (
        <nav className="tabs" aria-label="Разделы">
          <ul>{tabs.map((tab) => <li key={tab.slug}><Link to={hrefOf(tab.slug)} aria-current={tab.slug === slug ? "page" : undefined}>{tab.title}{tab.size !== null && <span className="num">{number(tab.size)}</span>}</Link></li>)}</ul>
        </nav>
      )}
      <div className="cat" id="catalog">
        <Filters action={path} chosen={chosen} newest={() => newestChoice(path, chosen)} facets={facets} price={price} years={years} total={total} isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
        <div className="cat__list" aria-busy={isBusy}>
          <div className="bar">
            <a className="btn btn--line btn--s bar__open" href="#filters" role="button" aria-haspopup="dialog" onClick={(event) => { event.preventDefault(); setSheetOpen(true); }}>
              <Icon name="sliders" />Фильтры {count > 0 && <span className="num">{count}</span>}
            </a>
            <p className="bar__n" role="status"><b className="num">{number(total)}</b> {plural(total, coinForms)}</p>
            <Chips path={path} chosen={chosen} facets={facets} />
            <div className="bar__tools">
              <label className="switch"><input type="checkbox" id="true-scale" />В одном масштабе</label>
              <SortBox path={path} chosen={chosen} />
            </div>
          </div>
          {cards.length > 0 ? <CoinGrid cards={cards} heading="h2" eager={3} /> : <Nothing path={path} isNarrowed={isNarrowed(chosen)} />}
          {page < pages && <More to={pagePath(path, query, page + 1, page + 1 - first < mostPagesAtOnce ? first : page + 1)} left={total - page * pageSize} pageSize={pageSize} shown={cards.length} isBusy={isBusy} />}
          <Pagination page={page} first={first} pages={pages} total={total} pageSize={pageSize} hrefOf={pageHref} />
        </div>
      </div>
      <section className="cat__note">
        <h2>Почему «50 рублей» стоят десятки тысяч?</h2>
        <div>
          <p>Номинал на инвестиционной монете формальный. Стоимость определяется содержанием металла: у золотого «Георгия Победоносца» номиналом 50 рублей его 7,78&nbsp;г.</p>
          <p>Цена золота и серебра меняется на бирже, а цена монеты считается от неё. В торговые часы котировка обновляется автоматически. Вне торгов цена остаётся прежней и помечается как «торги закрыты».</p>
        </div>
      </section>
    </main>
  );
}

/** Puts the next page under this one. The place on the screen stays; whoever came by the keyboard goes on at the first new coin. */
function More({ to, left, pageSize, shown, isBusy }: { to: string; left: number; pageSize: number; shown: number; isBusy: boolean }) {
  const place = useRef<HTMLParagraphElement>(null);
  const asked = useRef<number | null>(null);
  useEffect(() => {
    const before = asked.current;
    if (before === null || shown <= before) return;
    asked.current = null;
    place.current?.parentElement?.querySelectorAll<HTMLElement>(".card__link")[before]?.focus({ preventScroll: true });
  }, [shown]);
  return (
    <p className="cat__more" ref={place}>
      <Link className="btn btn--line" to={to} preventScrollReset replace rel="nofollow" aria-busy={isBusy} onClick={() => { asked.current = shown; }}>
        Показать ещё {number(Math.min(left, pageSize))}
      </Link>
    </p>
  );
}

/** What is chosen by now, which may be more than is drawn: a press that changes one part of it leaves what was pressed just before. */
function newestChoice(path: string, drawn: Chosen): Chosen {
  const at = newestLocation();
  return at && (at.pathname === path || at.pathname.startsWith(`${path}/page/`)) ? chosenFrom(new URLSearchParams(at.search)) : drawn;
}

type Chip = { key: string; text: string; name: string; less: (chosen: Chosen) => Chosen };

/** What is chosen, each a link to the list without it. */
function Chips({ path, chosen, facets }: { path: string; chosen: Chosen; facets: Route.ComponentProps["loaderData"]["facets"] }) {
  const navigate = useNavigate();
  if (!isNarrowed(chosen)) return null;
  const chips = facetNames.flatMap((name) => chosen.values[name].map((value): Chip => ({
    key: `${name}:${value}`, text: facets[name].find((each) => each.value === value)?.label ?? value, name: facetTitles[name], less: (from) => without(from, name, value),
  })));
  if (chosen.priceFrom || chosen.priceTo) {
    const from = chosen.priceFrom && `от ${number(Number(chosen.priceFrom))}`;
    const to = chosen.priceTo && `до ${number(Number(chosen.priceTo))}`;
    chips.push({ key: "price", text: `${[from, to].filter(Boolean).join(" ")} ₽`, name: "Цена", less: (from) => ({ ...from, priceFrom: "", priceTo: "" }) });
  }
  if (chosen.yearFrom || chosen.yearTo) {
    const text = [chosen.yearFrom && `с ${chosen.yearFrom}`, chosen.yearTo && `по ${chosen.yearTo}`].filter(Boolean).join(" ");
    chips.push({ key: "years", text: `${text} год`, name: "Год", less: (from) => ({ ...from, yearFrom: "", yearTo: "" }) });
  }
  if (chosen.inStock) chips.push({ key: "stock", text: "Есть сейчас", name: "Наличие", less: (from) => ({ ...from, inStock: false }) });
  function onClick(event: MouseEvent, less: Chip["less"]) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void navigate(`${path}${searchOf(less(newestChoice(path, chosen)))}`, { preventScrollReset: true, replace: true });
  }
  return (
    <div className="bar__chips">
      {chips.map(({ key, text, name, less }) => (
        <Link key={key} className="chip" to={`${path}${searchOf(less(chosen))}`} preventScrollReset replace onClick={(event) => onClick(event, less)} aria-label={`Убрать фильтр: ${name}, ${text}`}>{text} <Icon name="close" /></Link>
      ))}
      <Link className="chip chip--clear" to={`${path}${searchOf({ ...chosenFrom(new URLSearchParams()), sort: chosen.sort })}`} preventScrollReset replace>Сбросить</Link>
    </div>
  );
}

/** The order of the list: a form of its own, so that it works before scripts; it carries the filters along. */
function SortBox({ path, chosen }: { path: string; chosen: Chosen }) {
  const navigate = useNavigate();
  const kept = [...new URLSearchParams(searchOf({ ...chosen, sort: "popular" }))];
  return (
    <form action={path} className="sort-form">
      {kept.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      <label className="sort"><span className="vh">Порядок</span>
        <select key={chosen.sort} name="sort" defaultValue={chosen.sort}
          onChange={(event) => void navigate(`${path}${searchOf({ ...newestChoice(path, chosen), sort: event.target.value as keyof typeof sortTitles })}`, { preventScrollReset: true, replace: true })}>
          {Object.entries(sortTitles).map(([value, text]) => <option key={value} value={value}>{text}</option>)}
        </select>
        <Icon name="down" />
      </label>
      <noscript><button className="btn btn--line btn--s" type="submit">Упорядочить</button></noscript>
    </form>
  );
}

function Nothing({ path, isNarrowed: hasFilters }: { path: string; isNarrowed: boolean }) {
  return (
    <div className="empty">
      <h2>Таких монет сейчас нет</h2>
      <p className="lead">{hasFilters ? "Снимите часть фильтров: сочетание оказалось слишком строгим." : "В этом разделе пока пусто."}</p>
      <ButtonLink look="line" to={hasFilters ? path : "/catalog"}>{hasFilters ? "Сбросить фильтры" : "Весь каталог"}</ButtonLink>
    </div>
  );
}
