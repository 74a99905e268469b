import type { ReactNode } from "react";
import { Link } from "react-router";
import { nbsp, number, percent } from "#kit/format.ts";
import { coinImage } from "#shop/catalog/image.ts";
import * as lists from "#shop/lists/service.ts";
import type { CoinDetails } from "#shop/search/card.ts";
import * as search from "#shop/search/service.ts";
import type { SellerTax } from "#shop/tax.ts";
import { pageContext } from "#web/context.server.ts";
import { kindNames } from "../../../texts.ru.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Live, Price } from "../../../ui/price.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { personalMeta } from "../../page/personal-page.ts";
import { dataRows } from "../../product/data-table.ts";
import { toggleCompare } from "../../shared/visitor-state.ts";
import { CartButton } from "../cards/card-buttons.tsx";
import { type ShownCard, cardView } from "../cards/card-view.ts";
import { ClearList } from "./clear-list.tsx";
import { useOwnList } from "./own-list.ts";
import { sharedIds, SharedTools, ShareList } from "./shared-list.tsx";
import type { Route } from "./+types/comparison-page.ts";
import "../catalog.css";
import "../cards/card.css";
import "./comparison.css";

export const handle: PageHandle = { isPublic: false, showsLists: true, hasLivePrices: true };

export const meta = () => personalMeta("Сравнение монет");

/** Rendered for one visitor and never cached, so that the table works without scripts. A shared link shows its own coins instead. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const shared = sharedIds(request, ctx.settings.limits.compareItems);
  const cards = await search.cards(ctx, shared ?? (await lists.ids(ctx, visitor.owner, "compare")));
  const coins = await Promise.all(cards.map(({ slug }) => search.coinBySlug(ctx, slug)));
  return { coins: coins.filter((coin) => coin !== null).map((coin) => column(coin, ctx.settings.seller.tax)), isShared: shared !== null };
}

/** A column of the table: the coin's card and its facts by name. */
const column = (coin: CoinDetails, tax: SellerTax) => ({
  id: coin.id,
  card: cardView(coin),
  facts: { Вид: kindNames[coin.kind], ...Object.fromEntries(dataRows(coin, tax).map(({ name, value }) => [name, value])) } as Record<
    string,
    string
  >,
});
type Column = ReturnType<typeof column>;

/** The facts in their order; those that no coin has are left out. */
const factNames = [
  "Вид",
  "Металл и проба",
  "Чистого металла",
  "Общая масса",
  "Диаметр",
  "Стороны",
  "Толщина",
  "Номинал",
  "Эмитент",
  "Страна",
  "Монетный двор",
  "Год чеканки",
  "Серия",
  "Качество",
  "Тираж",
  "Гурт",
  "Художник",
  "Каталожный номер",
];

type Row = { name: string; key: (column: Column) => string | number | null; show: (column: Column) => ReactNode };
const moneyRows: Row[] = [
  {
    name: "Цена",
    key: ({ card }) => card.price,
    show: ({ card }) =>
      card.price === null ? (
        "по запросу"
      ) : (
        <Live as="b" value={card.price}>
          <Price amount={card.price} />
        </Live>
      ),
  },
  {
    name: "Премия к\u00A0металлу",
    key: ({ card }) => card.premiumBp,
    show: ({ card }) =>
      card.premiumBp === null ? (
        "—"
      ) : (
        <>
          {percent(card.premiumBp)}
          {nbsp}%
        </>
      ),
  },
  {
    name: "За грамм",
    key: ({ card }) => card.perGram,
    show: ({ card }) =>
      card.perGram === null ? (
        "—"
      ) : (
        <>
          {number(Math.ceil(card.perGram / 100))}
          {nbsp}₽
        </>
      ),
  },
  {
    name: "Выкупаем\u00A0за",
    key: ({ card }) => card.buyback,
    show: ({ card }) => (card.buyback === null ? "—" : <Price amount={card.buyback} />),
  },
  {
    name: "Спред",
    key: ({ card }) => card.spreadBp,
    show: ({ card }) =>
      card.spreadBp === null ? (
        "—"
      ) : (
        <Live value={card.spreadBp}>
          <span className="digits">{number(card.spreadBp / 100, 1)}</span>
          {nbsp}%
        </Live>
      ),
  },
  {
    name: "В наличии",
    key: ({ card }) => card.available,
    show: ({ card }) => (card.available > 0 ? `${number(card.available)}${nbsp}шт.` : "нет"),
  },
];

export default function ComparisonPage({ loaderData }: Route.ComponentProps) {
  const { isShared } = loaderData;
  const coins = useOwnList("compare", loaderData.coins, isShared);
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here="Сравнение" />
      <div className="page-head">
        <h1>{isShared ? "Сравнение по ссылке" : "Сравнение"}</h1>
        <div className="page-head__tools">
          {coins.length > 1 && (
            <label className="switch">
              <input type="checkbox" id="only-different" />
              Только различия
            </label>
          )}
          {isShared ? (
            <SharedTools list="compare" ids={coins.map(({ id }) => id)} />
          ) : (
            coins.length > 0 && (
              <>
                <ShareList list="compare" ids={coins.map(({ id }) => id)} />
                <ClearList list="compare" />
              </>
            )
          )}
        </div>
      </div>
      {coins.length > 0 ? (
        <Table coins={coins} canChange={!isShared} />
      ) : (
        <div className="empty" role="status">
          <h2>{isShared ? "По этой ссылке монет нет" : "Сравнивать пока нечего"}</h2>
          <p className="lead">
            {isShared
              ? "Возможно, их уже сняли с продажи или ссылка скопирована не целиком."
              : "Нажмите на весы у двух или более монет: здесь встанут рядом их цена, премия, спред, масса и размеры."}
          </p>
          <ButtonLink to="/catalog">Выбрать монеты</ButtonLink>
        </div>
      )}
    </main>
  );
}

function Table({ coins, canChange }: { coins: readonly Column[]; canChange: boolean }) {
  const rows: Row[] = [
    ...moneyRows,
    ...factNames
      .filter((name) => coins.some(({ facts }) => facts[name]))
      .map((name): Row => ({ name, key: ({ facts }) => facts[name] ?? null, show: ({ facts }) => facts[name] ?? "—" })),
  ];
  const isSame = ({ key }: Row) => coins.every((coin) => key(coin) === (coins[0] ? key(coins[0]) : null));
  return (
    <div className="versus" role="region" aria-label="Таблица сравнения" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th className="versus__name" scope="col">
              <span className="visually-hidden">Свойство</span>
            </th>
            {coins.map(({ card }) => (
              <th key={card.id} scope="col">
                <Head card={card} canChange={canChange} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className={isSame(row) ? "is-same" : coins.length > 1 ? "is-different" : ""}>
              <th className="versus__name" scope="row">
                {row.name}
              </th>
              {coins.map((coin) => (
                <td key={coin.card.id}>{row.show(coin)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ card, canChange }: { card: ShownCard; canChange: boolean }) {
  return (
    <div className="versus__coin">
      <Link to={`/products/${card.slug}`}>
        <img className={`coin coin--${card.metal}`} src={coinImage(card.picture, "reverse", 160)} width="160" height="160" alt="" />
        <span className="versus__title">{card.name}</span>
        <span className="versus__subtitle">{card.sub}</span>
      </Link>
      <div className="versus__tools">
        {card.price !== null && card.available > 0 && <CartButton id={card.id} title={card.title} available={card.available} />}
        {canChange && (
          <button
            className="mini"
            type="button"
            aria-label={`Убрать из сравнения: ${card.title}`}
            onClick={() => void toggleCompare(card.id)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
    </div>
  );
}
