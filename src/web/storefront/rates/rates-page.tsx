import { useState } from "react";
import { Link } from "react-router";
import { clock, day, dayOfYear, nbsp, number, percent } from "#kit/format.ts";
import { pageContext } from "#web/context.server.ts";
import { Delta } from "../../ui/delta.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PriceChart } from "../../ui/chart/price-chart.tsx";
import { Live, Price } from "../../ui/price.tsx";
import { AlertForm } from "../alerts/alert-form.tsx";
import { PageHead, contentMeta } from "../content/page-head.tsx";
import { contentPages } from "../content/content-pages.ts";
import { percentOf } from "../frame/frame-data.ts";
import { useFrameData } from "../frame/use-frame-data.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { Calculator } from "./calculator.tsx";
import { choiceOf, ratesView, type RatesView } from "./rates-view.server.ts";
import {
  chartViews,
  pointTime,
  ratesHref,
  rangeNames,
  rateNames,
  shownRateCodes,
  subjectTabs,
  tickTime,
  unitTabs,
  viewNames,
  type RatesChoice,
} from "./rates-view.ts";
import type { Route } from "./+types/rates-page.ts";
import "./rates.css";

export const handle: PageHandle = {
  isPublic: true,
  parameters: ["code", "range", "view", "coin"],
  values: { code: shownRateCodes, range: Object.keys(rangeNames), view: chartViews, coin: "bullion" },
  hasLivePrices: true,
  node: contentPages["quotes-online"],
};
export function meta({ matches }: Route.MetaArgs) {
  return contentMeta(matches, {
    title: "Цена золота сегодня",
    description:
      "Курс золота и серебра в рублях за грамм и в долларах за унцию, курс доллара: сейчас и за пять лет, " +
      "по данным биржи и Банка России. Сколько стоит ваша монета.",
  });
}

export function loader({ context, request }: Route.LoaderArgs): Promise<RatesView> {
  return ratesView(context.get(pageContext).ctx, choiceOf(new URL(request.url).searchParams));
}

export default function RatesPage({ loaderData }: Route.ComponentProps) {
  const { choice, points, beside, isGenerated, coin, coins, perGram } = loaderData;
  const { title, unit, decimals } = rateNames[choice.code];
  const isMetal = choice.code !== "USD_RUB";
  const isDaily = !isMetal && choice.range !== "5y";
  const kind = isMetal ? choice.view : "steps"; // the dollar has one value a day, and its candles would be dashes
  const hasOfficial = beside.some((value) => value !== null);
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap">
        <Head {...loaderData} />
        <div className="rates-choice">
          <Pick
            label="Курс"
            choice={choice}
            options={subjectTabs(choice.code).map(({ code, text }) => ({ to: { code }, text, isChosen: code === choice.code }))}
          />
          <Pick
            label="Период"
            choice={choice}
            options={(Object.keys(rangeNames) as (keyof typeof rangeNames)[]).map((range) => ({
              to: { range },
              text: rangeNames[range],
              isChosen: range === choice.range,
            }))}
          />
          {isMetal && (
            <>
              <Pick
                label="Единица"
                choice={choice}
                isHalf
                options={unitTabs(choice.code).map(({ code, text }) => ({ to: { code }, text, isChosen: code === choice.code }))}
              />
              <Pick
                label="Вид графика"
                choice={choice}
                isHalf
                options={(["candles", "line"] as const).map((view) => ({
                  to: { view },
                  text: viewNames[view],
                  isChosen: view === choice.view,
                }))}
              />
            </>
          )}
        </div>
        <PriceChart
          key={`${choice.code} ${choice.range}`}
          points={points}
          secondSeries={hasOfficial ? beside : []}
          secondSeriesName="Банк России"
          kind={kind}
          unit={unit}
          decimals={decimals}
          label={`${title}, ${rangeNames[choice.range].toLowerCase()}`}
          timeText={(at) => pointTime(at, choice.range, isDaily)}
          tickText={(at) => tickTime(at, choice.range, isDaily)}
        />
        <ChartTable {...loaderData} isDaily={isDaily} />
        <div className="rates-foot">
          {kind === "candles" && <p>Пустая свеча: закрылась выше, тёмная: ниже. Золотая: последняя.</p>}
          {hasOfficial && <p className="rates-foot__bank">Учётная цена Банка России: для сравнения, монеты по ней не считаем.</p>}
          {isGenerated && (
            <p>
              <b>Демонстрация:</b> прошлое на графике придумано, это не настоящие торги.
            </p>
          )}
        </div>
        <Spreads {...loaderData} />
        <AlertForm
          key={choice.code}
          course={choice.code}
          now={loaderData.now?.value ?? null}
          unit={rateNames[choice.code].title.split(", ")[1] ?? unit}
          hasStock
        />
      </div>
      {coin && <Calculator coins={coins} coin={coin} choice={choice} perGram={perGram} />}
      <Days {...loaderData} />
    </main>
  );
}

function Head({ choice, now, at, officialNow, metal }: RatesView) {
  const frame = useFrameData();
  const { of, unit, decimals } = rateNames[choice.code];
  const time = at ? new Date(at) : null;
  const market = frame?.market;
  const heading = choice.code === "USD_RUB" ? "Курс доллара" : metal === "silver" ? "Цена серебра" : "Цена золота";
  return (
    <div className="rates-head">
      <div>
        <PageHead>{heading}</PageHead>
        <p>{of}</p>
        {market && !market.isOpen && (
          <p className="rates-head__closed" role="status">
            <b>Торги закрыты{market.until ? ` до ${clock(new Date(market.until))} ${dayOfYear(new Date(market.until))}` : ""}.</b>{" "}
            {market.note} Каталог, корзина и заказы памятных монет работают; цены инвестиционных монет зафиксируем, когда торги откроются.
          </p>
        )}
        {market?.isOpen && frame?.isStale && (
          <p className="rates-head__closed" role="status">
            <b>Курс задерживается:</b> показана последняя известная цена. Каталог и корзина работают.
          </p>
        )}
      </div>
      {now && time ? (
        <div className="rates-value">
          <small>
            {market?.isOpen && !frame?.isStale ? "Сейчас" : "Последняя цена"}, <span className="digits">{clock(time)}</span>
          </small>
          <b>
            <Live value={now.value} className="digits">
              {number(now.value, decimals)}
            </Live>{" "}
            {unit}
          </b>
          <Delta percent={percentOf(now.value, now.diff)} />{" "}
          <span>
            {now.diff < 0 ? "−" : "+"}
            <span className="digits">{number(Math.abs(now.diff), 2)}</span>
            {nbsp}
            {unit} за день
          </span>
        </div>
      ) : (
        <p className="lead">Курсы ещё не получены. Зайдите через минуту.</p>
      )}
      {officialNow && (
        <div className="rates-value rates-value--official">
          <small>Банк России, на {dayOfYear(new Date(officialNow.at))}</small>
          <b>
            <span className="digits">{number(officialNow.value, 2)}</span> ₽
          </b>
          <span>учётная цена, раз в день</span>
        </div>
      )}
    </div>
  );
}

type Option = { to: Partial<RatesChoice>; text: string; isChosen: boolean };

function Pick({
  label,
  choice,
  options,
  isHalf = false,
}: {
  label: string;
  choice: RatesChoice;
  options: readonly Option[];
  isHalf?: boolean;
}) {
  return (
    <nav className={isHalf ? "pick pick--half" : "pick"} aria-label={label}>
      {options.map(({ to, text, isChosen }) => (
        <Link key={text} to={ratesHref({ ...choice, ...to })} aria-current={isChosen ? "true" : undefined} preventScrollReset replace>
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** The chart as a table; rendered only when it is opened. */
function ChartTable({ choice, points, beside, isDaily }: RatesView & { isDaily: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { decimals, title } = rateNames[choice.code];
  const isMetal = choice.code !== "USD_RUB";
  const hasOfficial = beside.some((value) => value !== null);
  const figure = (value: number | null | undefined): string => (value === null || value === undefined ? "—" : number(value, decimals));
  return (
    <details className="calculator__custom" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>График таблицей</summary>
      {isOpen && (
        <table className="days">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">Время</th>
              {isMetal && (
                <>
                  <th scope="col" className="hide-on-phone">
                    Открытие
                  </th>
                  <th scope="col">Максимум</th>
                  <th scope="col">Минимум</th>
                </>
              )}
              <th scope="col">{isMetal ? "Закрытие" : "Курс"}</th>
              {hasOfficial && (
                <th scope="col" className="hide-on-phone">
                  Банк России
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {points
              .map((point, index) => (
                <tr key={point.at}>
                  <th scope="row">{pointTime(point.at, choice.range, isDaily)}</th>
                  {isMetal && (
                    <>
                      <td className="hide-on-phone">{figure(point.open)}</td>
                      <td>{figure(point.high)}</td>
                      <td>{figure(point.low)}</td>
                    </>
                  )}
                  <td className="price">{figure(point.close)}</td>
                  {hasOfficial && <td className="hide-on-phone">{figure(beside[index])}</td>}
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      )}
    </details>
  );
}

/** The spread between the shop's selling and buyback prices, for each denomination. */
function Spreads({ spread, metal }: RatesView) {
  if (!spread) return null;
  return (
    <section className="spreads">
      <h2>Спред по номиналам</h2>
      <p>
        Сколько теряется, если купить монету и сразу продать её нам. Для каждой массы показана самая известная монета, её самый дешёвый
        выпуск.
      </p>
      <table className="days">
        <caption className="visually-hidden">Цена, выкуп и спред инвестиционных монет из {metal === "gold" ? "золота" : "серебра"}</caption>
        <thead>
          <tr>
            <th scope="col">Монета</th>
            <th scope="col">Цена</th>
            <th scope="col" className="hide-on-phone">
              Премия
            </th>
            <th scope="col">Выкуп</th>
            <th scope="col">Спред</th>
          </tr>
        </thead>
        <tbody>
          {spread.rows.map((row) => (
            <tr key={row.mass}>
              <th scope="row">
                <Link to={`/products/${row.slug}`}>{row.mass}</Link>
                <small>{row.name}</small>
              </th>
              <td>
                <Live value={row.price}>
                  <Price amount={row.price} />
                </Live>
              </td>
              <td className="hide-on-phone">
                {row.premiumBp === null ? (
                  "—"
                ) : (
                  <>
                    {percent(row.premiumBp)}
                    {nbsp}%
                  </>
                )}
              </td>
              <td>
                <Live value={row.buyback}>
                  <Price amount={row.buyback} />
                </Live>
              </td>
              <td className="price">
                <Live value={row.spreadBp}>
                  <span className="digits">{number(row.spreadBp / 100, 1)}</span>
                  {nbsp}%
                </Live>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <Link className="more" to={spread.all}>
          Все {number(spread.total)}, от меньшего спреда <Icon name="right" />
        </Link>
      </p>
    </section>
  );
}

function Days({ choice, days, rates }: RatesView) {
  const { title, decimals } = rateNames[choice.code];
  const figure = (value: number): string => number(value, decimals);
  const isMetal = choice.code !== "USD_RUB";
  const hasOfficial = days.some(({ official }) => official !== null);
  return (
    <section className="section">
      <div className="wrap">
        <div className="section__head">
          <h2>По дням</h2>
          <a className="more" href={`/quotes-online/table.csv?code=${choice.code}`} download>
            Скачать таблицу, CSV <Icon name="right" />
          </a>
        </div>
        <table className="days">
          <caption className="visually-hidden">{title}, по дням</caption>
          <thead>
            <tr>
              <th scope="col">День</th>
              {isMetal && (
                <>
                  <th scope="col" className="hide-on-phone">
                    Открытие
                  </th>
                  <th scope="col" className="hide-on-phone">
                    Максимум
                  </th>
                  <th scope="col" className="hide-on-phone">
                    Минимум
                  </th>
                </>
              )}
              <th scope="col">{isMetal ? "Закрытие" : "Курс"}</th>
              <th scope="col">За день</th>
              {hasOfficial && <th scope="col">Банк России</th>}
            </tr>
          </thead>
          <tbody>
            {days.map((row, index) => (
              <tr key={row.at}>
                <th scope="row">
                  {dayOfYear(new Date(row.at))}
                  {index === 0 && <span className="hide-on-phone"> · сейчас</span>}
                </th>
                {isMetal && (
                  <>
                    <td className="hide-on-phone">{figure(row.open)}</td>
                    <td className="hide-on-phone">{figure(row.high)}</td>
                    <td className="hide-on-phone">{figure(row.low)}</td>
                  </>
                )}
                <td className="price">{figure(row.close)}</td>
                <td>{row.percent !== null && <Delta percent={row.percent} />}</td>
                {hasOfficial && <td>{row.official === null ? "—" : number(row.official, 2)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
        <table className="days all-rates">
          <caption className="visually-hidden">Все курсы сейчас</caption>
          <thead>
            <tr>
              <th scope="col">Курс</th>
              <th scope="col">Сейчас</th>
              <th scope="col">За день</th>
            </tr>
          </thead>
          <tbody>
            {rates.map(
              ({ code, shown }) =>
                shown && (
                  <tr key={code}>
                    <th scope="row">
                      <Link to={ratesHref({ ...choice, code })} preventScrollReset>
                        {rateNames[code].title}
                      </Link>
                    </th>
                    <td className="price">
                      <Live value={shown.value} className="digits">
                        {number(shown.value, 2)}
                      </Live>
                    </td>
                    <td>
                      <Delta percent={percentOf(shown.value, shown.diff)} />
                    </td>
                  </tr>
                ),
            )}
          </tbody>
        </table>
        <p className="days__note">
          Котировки справочные. Прошлые цены не обещают будущих. Пока торгов нет, держится последняя цена. Таблица с{" "}
          {days.length > 0 ? day(new Date(days.at(-1)?.at ?? 0)) : "начала"}; в файле пять лет.
        </p>
      </div>
    </section>
  );
}
