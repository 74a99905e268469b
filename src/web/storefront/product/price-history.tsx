import { Link } from "react-router";
import { day, monthName, nbsp } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { PriceChart } from "../../ui/chart/price-chart.tsx";
import type { CoinHistory } from "./price-history.server.ts";
/** The chart of the coin's price over a year; its last point is the price shown on the page. */
export function PriceHistory({ history, price }: { history: CoinHistory; price: Kopecks | null }) {
  const points = history.points.map(({ at, price: then }, index) => {
    const value = index === history.points.length - 1 && price !== null ? price / 100 : then;
    return { at, open: value, high: value, low: value, close: value };
  });
  return (
    <section className="section">
      <div className="wrap">
        <div className="section__head">
          <h2>Цена за год</h2>
          <Link className="more" to="/quotes-online">
            Цена металла
          </Link>
        </div>
        <PriceChart
          points={points}
          kind="line"
          isSmall
          label="Цена монеты за год"
          unit="₽"
          decimals={0}
          timeText={(at) => `Неделя с ${day(new Date(at))}`}
          tickText={(at) => monthName(new Date(at))}
        />
        <p className="price-chart__note">
          Посчитана по прошлым курсам металла с нынешней премией монеты. Прошлые цены не{nbsp}обещают будущих.
          {history.isGenerated ? " Демонстрация: прошлое придумано." : ""}
        </p>
      </div>
    </section>
  );
}
