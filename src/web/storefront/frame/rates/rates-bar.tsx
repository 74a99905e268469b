import { clock, dayOfYear, nbsp, number } from "#kit/format.ts";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { Delta } from "../../../ui/delta.tsx";
import { Live } from "../../../ui/price.tsx";
import type { FrameData } from "../frame-data.ts";

/** The dark line at the top: the current prices of metals and the dollar, and whether they are up to date. */
export function RatesBar({ rates, ratesAt, isStale, market }: RatesBarProps) {
  if (rates.length === 0) return null;
  const props = { rates, ratesAt, isStale, market };
  return <CachedFragment as="section" className="rates" aria-label="Курсы металлов и доллара" of={Rates} props={props} />;
}

type RatesBarProps = Pick<FrameData, "rates" | "ratesAt" | "isStale" | "market">;

function Rates({ rates, ratesAt, isStale, market }: RatesBarProps) {
  return (
    <div className="wrap rates__inner">
      <ul className="rates__list">
        {rates.map(({ code, name, unit, value, percent }) => (
          <li className="rate" key={code}>
            <span className="rate__name">{name}</span>
            <Live className="rate__value" value={value}>
              <span className="digits">{number(value, 2)}</span>
              {nbsp}
              {unit}
            </Live>
            <Delta percent={percent} />
          </li>
        ))}
      </ul>
      {ratesAt && <MarketState at={new Date(ratesAt)} isStale={isStale} market={market} />}
    </div>
  );
}

function MarketState({ at, isStale, market: { isOpen, until, note } }: { at: Date; isStale: boolean; market: FrameData["market"] }) {
  const time = (
    <time dateTime={at.toISOString()} className="digits">
      {clock(at)}
    </time>
  );
  if (!isOpen) {
    const opens = until ? new Date(until) : null;
    return (
      <p
        className="rates__state"
        title={
          `${note ? `${note} ` : ""}Каталог, корзина и заказы памятных монет работают; ` +
          "цены инвестиционных монет зафиксируем, когда торги откроются."
        }
      >
        <span className="pulse pulse--off" />
        Торги закрыты
        {opens ? (
          <>
            {" "}
            до <span className="digits">{clock(opens)}</span> {dayOfYear(opens)}
          </>
        ) : null}
        , цены на {time}
      </p>
    );
  }
  if (isStale)
    return (
      <p className="rates__state rates__state--stale">
        <span className="pulse pulse--off" />
        Курсы задерживаются, последние в {time}
      </p>
    );
  return (
    <p className="rates__state">
      <span className="pulse" />
      Торги идут, цены обновлены в {time}
    </p>
  );
}
