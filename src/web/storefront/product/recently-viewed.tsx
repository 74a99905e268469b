import { useEffect, useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/calls.ts";
import type { CardView } from "#contract/public/catalog.ts";
import { whenIdle } from "#web/client/when-idle.ts";
import { callApi } from "#contract/client.ts";
import { nbsp, number } from "#kit/format.ts";
import { recentEntries, addRecent } from "../catalog/search/recent-history.ts";

/** The number of coins shown; the browser stores more, because the coin of the page itself is left out. */
const most = 6;

/**
 * The coins viewed before in this browser, with their present data. Code and data come after the page, which is the same for all visitors.
 */
export function RecentlyViewed({ id }: { id: number }) {
  const [cards, setCards] = useState<CardView[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const cancel = whenIdle(() => void load(stop.signal));
    return () => {
      cancel();
      stop.abort();
    };
    async function load(signal: AbortSignal): Promise<void> {
      const before = recentEntries("coins")
        .filter((each) => /^[1-9]\d{0,8}$/.test(each) && each !== String(id))
        .slice(0, most);
      addRecent("coins", String(id));
      if (before.length === 0) return;
      const answer = await callApi(contract.readCards, { query: { ids: before.join(",") }, signal });
      if (answer.ok && !signal.aborted) setCards(answer.value);
    }
  }, [id]);

  if (cards.length === 0) return null;
  return (
    <section className="section">
      <div className="wrap">
        <div className="section__head">
          <h2>Вы смотрели</h2>
        </div>
        <ul className="seen">
          {cards.map(({ slug, image, title, metal, price, inStock }) => (
            <li key={slug}>
              <Link to={`/products/${slug}`}>
                <img className={`coin coin--${metal}`} src={image} width="96" height="96" alt="" loading="lazy" />
                <span>{title}</span>
                <small className="digits">
                  {!inStock ? "нет в наличии" : price === null ? "цена по запросу" : `${number(price)}${nbsp}₽`}
                </small>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
