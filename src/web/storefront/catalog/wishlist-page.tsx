import * as lists from "#shop/lists/service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { coinForms, number, plural } from "../../ui/format.ts";
import type { PageHandle } from "../frame/frame.tsx";
import { pageMeta } from "../meta.ts";
import { useShopState } from "../state.ts";
import { cardView } from "./card-view.ts";
import { ClearList } from "./clear-list.tsx";
import { CoinGrid } from "./coin-card.tsx";
import type { Route } from "./+types/wishlist-page.ts";
import "../../styles/catalog.css";

export const handle: PageHandle = { hasLivePrices: true };
export const meta = () => pageMeta({ title: "Избранное" });

/** Rendered for one visitor and never kept, so that the list is there without scripts. */
export async function loader({ context }: Route.LoaderArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const cards = await search.cards(ctx, await lists.ids(ctx, visitor.owner, "wishlist"));
  return { cards: cards.map(cardView) };
}

export default function WishlistPage({ loaderData }: Route.ComponentProps) {
  const { isKnown, wishlist } = useShopState();
  // A heart taken off here leaves the page at once.
  const cards = isKnown ? loaderData.cards.filter(({ id }) => wishlist.includes(id)) : loaderData.cards;
  return (
    <main id="main" className="wrap">
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here="Избранное" />
      <div className="page-head">
        <h1>Избранное</h1>
        {cards.length > 0 && <ClearList list="wishlist" />}
      </div>
      {cards.length > 0 ? (
        <>
          <div className="bar"><p className="bar__n" role="status"><b className="num">{number(cards.length)}</b> {plural(cards.length, coinForms)}</p></div>
          <CoinGrid cards={cards} columns={4} heading="h2" eager={4} />
        </>
      ) : (
        <div className="empty" role="status">
          <h2>Пока пусто</h2>
          <p className="lead">Нажмите на сердце у монеты, и она останется здесь, даже если вы закроете страницу.</p>
          <ButtonLink to="/catalog">Выбрать монету</ButtonLink>
        </div>
      )}
    </main>
  );
}
