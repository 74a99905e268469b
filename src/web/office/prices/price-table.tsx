import { useState } from "react";
import { WarnMark } from "../ui/marks.tsx";
import { sum } from "../money/words.ts";
import { points, type Row } from "./words.ts";

/** Rows drawn at once; the change covers all that are ticked. */
const slice = 200;

type Scale = { lowest: number; highest: number };
const width = 128;

/** The coins before and after. `skipped`: the coins that were unticked. */
export function PriceTable({
  rows,
  skipped,
  onSkip,
}: {
  rows: readonly Row[] | undefined;
  skipped: ReadonlySet<number>;
  onSkip: (skipped: ReadonlySet<number>) => void;
}) {
  const [count, setCount] = useState(slice);
  const all = rows ?? [];
  const shown = all.slice(0, count);
  const scale = scaleOf(shown);
  const skip = (id: number, isSkipped: boolean) => {
    const next = new Set(skipped);
    if (isSkipped) next.add(id);
    else next.delete(id);
    onSkip(next);
  };
  return (
    <>
      <div className="table-scroll" role="region" aria-label="Цены до и после" tabIndex={0}>
        <table className="table" aria-busy={rows === undefined}>
          <caption className="visually-hidden">Цены до и после</caption>
          <thead>
            <tr>
              <th scope="col">
                <input
                  className="check"
                  type="checkbox"
                  data-passing
                  aria-label="Все монеты"
                  checked={all.length > 0 && skipped.size === 0}
                  onChange={(event) => onSkip(new Set(event.target.checked ? [] : all.map(({ id }) => id)))}
                />
              </th>
              <th scope="col">Монета</th>
              <th scope="col" className="align-right">
                На полке
              </th>
              <th scope="col" className="align-right">
                Премия, %
              </th>
              <th scope="col" className="align-right">
                Была, ₽
              </th>
              <th scope="col" className="align-right">
                Станет, ₽
              </th>
              <th scope="col">От выкупа до цены</th>
              <th scope="col" className="align-right hide-narrow">
                ₽/г
              </th>
              <th scope="col" className="align-right">
                Маржа, ₽
              </th>
              <th scope="col" className="align-right">
                Спред, %
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <PriceRow key={row.id} row={row} scale={scale} isSkipped={skipped.has(row.id)} onSkip={(is) => skip(row.id, is)} />
            ))}
            {rows === undefined || rows.length === 0 ? (
              <tr>
                <td className="table__state" colSpan={10}>
                  <span role="status">{rows ? "Под отбор не подошла ни одна монета" : "Загружаем…"}</span>
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      {all.length > shown.length ? (
        <p className="hint">
          Показаны первые {shown.length} из {all.length}; изменятся все отмеченные.{" "}
          <button className="text-button" type="button" onClick={() => setCount(count + 5 * slice)}>
            Показать ещё
          </button>
        </p>
      ) : null}
    </>
  );
}

function PriceRow({ row, scale, isSkipped, onSkip }: { row: Row; scale: Scale; isSkipped: boolean; onSkip: (isSkipped: boolean) => void }) {
  const isBad = row.isBelowMetal || row.isOutOfRange;
  const is = isSkipped ? { ...row, priceAfter: row.priceBefore, premiumBpAfter: row.premiumBpBefore, isChanged: false } : row;
  return (
    <tr className={isBad && !isSkipped ? "is-bad" : undefined}>
      <td>
        <input
          className="check"
          type="checkbox"
          data-passing
          aria-label={`Менять ${row.title}`}
          checked={!isSkipped}
          onChange={(event) => onSkip(!event.target.checked)}
        />
      </td>
      <th scope="row" className="truncated">
        {row.title}
        {row.isPublished ? null : <span className="muted"> не продаётся</span>}
      </th>
      <td className="align-right number">{row.available}</td>
      <td className="align-right nowrap number">
        <span className={is.isChanged ? "from" : undefined}>{row.premiumBpBefore === null ? "—" : points(row.premiumBpBefore)}</span>{" "}
        {is.isChanged && is.premiumBpAfter !== null ? (
          <span className={isBad ? "after-value warn" : "after-value"}>{points(is.premiumBpAfter)}</span>
        ) : null}
      </td>
      <td className="align-right from number">{row.priceBefore === null ? "—" : sum(row.priceBefore)}</td>
      <td className={isBad && !isSkipped ? "align-right nowrap after-value warn number" : "align-right nowrap after-value number"}>
        {is.isChanged && is.priceAfter !== null ? sum(is.priceAfter) : ""}
      </td>
      <td>
        <Gauge row={is} scale={scale} />
      </td>
      <td className="align-right soft number hide-narrow">{row.perGram === null ? "—" : sum(row.perGram)}</td>
      <td className={isBad && !isSkipped ? "align-right nowrap warn number" : "align-right nowrap number"}>
        {row.isOutOfRange ? "вне разумного" : null}
        {row.isBelowMetal && !row.isOutOfRange ? <WarnMark /> : null}{" "}
        {row.margin === null || row.isOutOfRange ? null : sum(Math.round(row.margin))}
      </td>
      <td className="align-right soft number">{row.spreadBp === null ? "—" : points(row.spreadBp)}</td>
    </tr>
  );
}

const buybackBpOf = ({ buybackAfter, priceAfter, premiumBpAfter }: Row): number | null =>
  buybackAfter === null || priceAfter === null || premiumBpAfter === null
    ? null
    : Math.round((buybackAfter / (priceAfter / (1 + premiumBpAfter / 10_000)) - 1) * 10_000);

function scaleOf(rows: readonly Row[]): Scale {
  const all = rows.flatMap((row) => [0, row.premiumBpBefore ?? 0, row.premiumBpAfter ?? 0, buybackBpOf(row) ?? 0]);
  const [lowest, highest] = [Math.min(-100, ...all), Math.max(100, ...all)];
  return { lowest: lowest * 1.05, highest: highest * 1.05 };
}

/** Buyback, metal, price before and after on the one line that all rows share. */
function Gauge({ row, scale: { lowest, highest } }: { row: Row; scale: Scale }) {
  if (row.premiumBpBefore === null || row.premiumBpAfter === null) return null;
  const x = (bp: number): string => (2 + ((bp - lowest) / (highest - lowest)) * width).toFixed(1);
  const buyback = buybackBpOf(row);
  const [was, now] = [row.premiumBpBefore, row.premiumBpAfter];
  const text = [
    ...(buyback === null ? [] : [`Выкуп ${points(buyback)} %`]),
    row.isChanged ? `было ${points(was)} %, станет ${points(now)} %` : `цена ${points(now)} %`,
  ].join(", ");
  return (
    <svg className="gauge" viewBox="0 0 132 16" role="img" aria-label={text}>
      <path className="line" d="M2 8H130" />
      <path className={now < 0 ? "bar1 bar1--bad" : "bar1"} d={`M${x(0)} 8H${x(now)}`} />
      {buyback === null ? null : <path className="back" d={`M${x(buyback)} 4V12`} />}
      <path className="metal-mark" d={`M${x(0)} 1V15`} />
      {row.isChanged ? <circle className="former-mark" cx={x(was)} cy="8" r="3" /> : null}
      <circle className={now < 0 ? "current-mark current-mark--bad" : "current-mark"} cx={x(now)} cy="8" r="3.5" />
    </svg>
  );
}
