import { useEffect } from "react";
import { data } from "react-router";
import { nbsp, priceText } from "#kit/format.ts";
import { withNumbersUnbroken } from "#kit/text/typeset.ts";
import type { Kopecks } from "#kit/money.ts";
import { noteMissedSearch } from "#shop/reports/searches/missed.service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Pagination } from "../../../ui/pagination.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { pageMeta } from "../../page/meta.ts";
import { ListingBody } from "../listing/listing-body.tsx";
import { filtersFrom } from "../filters/listing-filters.server.ts";
import { addressOf, choiceFrom, isNarrowed, listingParameters } from "../listing/listing-query.ts";
import { listingData, listingOf } from "../listing/listing-data.ts";
import { listingView } from "../listing/listing-view.ts";
import { addRecent } from "./recent-history.ts";
import { hrefOf, maxQueryLength, SearchBox } from "./search-box.tsx";
import type { Route } from "./+types/search-page.ts";
import { Link } from "../../../ui/link.tsx";
import "./search-box.css";
import "../catalog.css";

export const handle: PageHandle = {
  isPublic: true,
  parameters: [...listingParameters, "q", "exact"],
  hasLivePrices: true,
  countedParameter: "q",
};

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: loaderData?.query ? `${loaderData.query}: поиск` : "Поиск монет",
    description: "Найдите монету по названию, номиналу, году или металлу: поиск понимает опечатки и латиницу.",
  });
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const shown = context.get(pageContext);
  const { ctx } = shown;
  const params = new URL(request.url).searchParams;
  const query = (params.get("q") ?? "").normalize("NFC").replace(/\s+/g, " ").trim().slice(0, maxQueryLength);
  const exact = params.get("exact") === "1";
  const requestedPage = params.get("page") ?? "1";
  const page = /^[1-9]\d*$/.test(requestedPage) ? Number(requestedPage) : 1;
  const chosen = choiceFrom(params);
  if (query === "")
    return { query, exact, page, chosen, found: null, corrected: null, intent: null, limits: null, categories: [], articles: [] };
  const { sort, ...filters } = filtersFrom(chosen, "", page);
  const found = await search.find(ctx, { query, page, exact, filters: sort === "popular" ? filters : { ...filters, sort } });
  if (found.total === 0) noteMissedSearch(ctx, query);
  if (page > 1 && page > found.pages) throw data(null, { status: 404 });
  return {
    query,
    exact,
    page,
    chosen,
    found: listingData(shown, listingView(found, "Сначала подходящие")),
    corrected: found.corrected ?? null,
    intent: found.intent ?? null,
    limits: found.limits ?? null,
    categories: found.categories.map(({ slug, title }) => ({ slug, title: withNumbersUnbroken(title) })),
    articles: found.articles,
  };
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { query, exact, page, chosen, corrected, intent, limits, categories, articles } = loaderData;
  const found = loaderData.found && listingOf(loaderData.found);
  const list = { path: "/search", base: hrefOf(query, 1, exact).slice("/search?".length) };
  const hasFound = found !== null && found.total > 0;
  useEffect(() => {
    if (hasFound) addRecent("queries", query);
  }, [hasFound, query]);
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <div className="found__head">
        <h1>Поиск</h1>
        <SearchBox query={query} />
        {corrected && (
          <p className="found__correction" role="status">
            {isPartOfQuery(corrected) ? "Всего сразу не нашлось, показываем" : "Исправили на"} «{corrected.to}».{" "}
            <Link to={hrefOf(corrected.from, 1, true)}>Искать «{corrected.from}» буквально</Link>
          </p>
        )}
      </div>
      {intent && (
        <div className="found__reason">
          <h2>{intent.heading}</h2>
          <p>{intent.text}</p>
        </div>
      )}
      {intent && <RelatedLinks name="Читайте" links={intent.links} />}
      <RelatedLinks name="Разделы" links={categories.map(({ slug, title }) => ({ href: `/catalog/${slug}`, title }))} />
      <RelatedLinks name="Статьи" links={articles} />
      {found === null ? (
        <Hints />
      ) : found.total === 0 && !isNarrowed(chosen) ? (
        <NoResults query={query} isElsewhere={categories.length + articles.length > 0} />
      ) : (
        <ListingBody
          list={list}
          chosen={chosen}
          listing={found}
          empty={<NoFilteredResults to={hrefOf(query, 1, exact)} />}
          countNote={
            <>
              {" "}
              по запросу «{corrected?.to ?? query}»{limits && corrected && limitsText(limits)}
            </>
          }
        >
          {() => (
            <Pagination
              page={page}
              pages={found.pages}
              total={found.total}
              pageSize={found.pageSize}
              hrefOf={(n) => `${addressOf(list, chosen)}${n > 1 ? `&page=${n}` : ""}`}
            />
          )}
        </ListingBody>
      )}
    </main>
  );
}

/** Whether the query was only shortened, without a correction. */
function isPartOfQuery({ from, to }: { from: string; to: string }): boolean {
  const words = wordsOf(from);
  return wordsOf(to).every((word) => words.includes(word));
}
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .match(/[\p{L}\d]+/gu) ?? [];

const limitsText = ({ priceFrom, priceTo }: { priceFrom?: Kopecks; priceTo?: Kopecks }): string =>
  `${priceFrom === undefined ? "" : ` от ${priceText(priceFrom)}`}${priceTo === undefined ? "" : ` до ${priceText(priceTo)}`}`;

/** Sections or articles that match the query. */
function RelatedLinks({ name, links }: { name: string; links: readonly { href: string; title: string }[] }) {
  if (links.length === 0) return null;
  return (
    <nav className="found__beside" aria-label={name}>
      <span aria-hidden="true">{name}</span>
      <ul className="found__also">
        {links.map(({ href, title }) => (
          <li key={href}>
            <Link className="chip" to={href}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const examples = ["Георгий Победоносец", "Сеятель", "серебро унция", "золото четверть унции", "Соболь", "знаки зодиака"];

const Examples = () => (
  <ul className="found__also" aria-label="Например">
    {examples.map((each) => (
      <li key={each}>
        <Link className="chip" to={hrefOf(each)}>
          {each}
        </Link>
      </li>
    ))}
  </ul>
);

function Hints() {
  return (
    <div className="empty">
      <h2>Что ищете?</h2>
      <p className="lead">Название, номинал, масса, год, двор или номер по каталогу Банка России: подойдёт любое слово.</p>
      <Examples />
    </div>
  );
}

/** The query has results, but none passes the filters. */
function NoFilteredResults({ to }: { to: string }) {
  return (
    <div className="empty">
      <h2>С такими фильтрами ничего не осталось</h2>
      <p className="lead">Снимите часть фильтров: по самому запросу монеты есть.</p>
      <ButtonLink variant="line" to={to}>
        Сбросить фильтры
      </ButtonLink>
    </div>
  );
}

/** `isElsewhere`: matching sections or articles are shown above. */
function NoResults({ query, isElsewhere }: { query: string; isElsewhere: boolean }) {
  return (
    <div className="empty" role="status">
      <h2>{isElsewhere ? `Монет по запросу «${query}» нет` : `По запросу «${query}» ничего не нашлось`}</h2>
      <p className="lead">
        {isElsewhere ? "Посмотрите страницы выше или опишите монету" : "Проверьте, нет ли опечатки, или опишите монету проще"}: «серебро 3
        {nbsp}рубля», «червонец».
      </p>
      <Examples />
      <ButtonLink variant="line" to="/catalog">
        Весь каталог
      </ButtonLink>
    </div>
  );
}
