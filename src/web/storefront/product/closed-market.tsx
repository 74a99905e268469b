import { clock, dayOfYear } from "#kit/format.ts";
import type { CoinKind } from "#shop/catalog/coin.ts";
import { useFrameData } from "../frame/use-frame-data.ts";

/** A note while the exchange is closed; nothing for coins with a fixed price, which do not depend on it. */
export function ClosedMarket({ kind }: { kind: CoinKind }) {
  const market = useFrameData()?.market;
  if (kind !== "bullion" || !market || market.isOpen) return null;
  const opens = market.until ? new Date(market.until) : null;
  return (
    <p className="offer__note" role="status">
      <b>
        Биржа закрыта
        {opens ? (
          <>
            {" "}
            до <span className="digits">{clock(opens)}</span> {dayOfYear(opens)}
          </>
        ) : null}
        .
      </b>{" "}
      {market.note} Показана последняя цена. Положить монету в корзину можно сейчас, а цену зафиксируем, когда торги откроются.
    </p>
  );
}
