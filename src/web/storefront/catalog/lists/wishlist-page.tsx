import { coinForms, number, plural } from "#kit/format.ts";
import * as lists from "#shop/lists/service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { personalMeta } from "../../page/personal-page.ts";
import { cardView } from "../cards/card-view.ts";
import { ClearList } from "./clear-list.tsx";
import { CoinGrid } from "../cards/coin-card.tsx";
import { useOwnList } from "./own-list.ts";
import { sharedIds, SharedTools, ShareList } from "./shared-list.tsx";
import type { Route } from "./+types/wishlist-page.ts";
import "../catalog.css";
import "../cards/card.css";

export const handle: PageHandle = { isPublic: false, showsLists: true, hasLivePrices: true };

export const meta = () => personalMeta("Избранное");

/** Rendered for one visitor and never cached, so that the list works without scripts. A shared link shows its own coins instead. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const shared = sharedIds(request);
  const cards = await search.cards(ctx, shared ?? (await lists.ids(ctx, visitor.owner, "wishlist")));
  return { cards: cards.map(cardView), isShared: shared !== null };
}

export default function WishlistPage({ loaderData }: Route.ComponentProps) {
  const { isShared } = loaderData;
  const cards = useOwnList("wishlist", loaderData.cards, isShared);
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here="Избранное" />
      <div className="page-head">
        <h1>{isShared ? "Избранное по ссылке" : "Избранное"}</h1>
        <div className="page-head__tools">
          {isShared ? (
            <SharedTools list="wishlist" ids={cards.map(({ id }) => id)} />
          ) : (
            cards.length > 0 && (
              <>
                <ShareList list="wishlist" ids={cards.map(({ id }) => id)} />
                <ClearList list="wishlist" />
              </>
            )
          )}
        </div>
      </div>
      {cards.length > 0 ? (
        <>
          <div className="list-bar">
            <p className="list-bar__count" role="status">
              <b className="digits">{number(cards.length)}</b> {plural(cards.length, coinForms)}
            </p>
          </div>
          <CoinGrid cards={cards} columns={4} heading="h2" eager={4} />
        </>
      ) : (
        <div className="empty" role="status">
          <h2>{isShared ? "По этой ссылке монет нет" : "Пока пусто"}</h2>
          <p className="lead">
            {isShared
              ? "Возможно, их уже сняли с продажи или ссылка скопирована не целиком."
              : "Нажмите на сердце у монеты, и она останется здесь, даже если вы закроете страницу."}
          </p>
          <ButtonLink to="/catalog">Выбрать монету</ButtonLink>
        </div>
      )}
    </main>
  );
}
