import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readExposure } from "#contract/staff/prices/metal.ts";
import { clock, dayOfYear, number } from "#kit/format.ts";
import { moscow } from "#kit/moscow-time.ts";
import { callStaff, saveFile } from "../client.ts";
import { sum } from "../money/words.ts";
import { useStaff } from "../session.ts";
import { usePoll } from "../shell/activity.ts";
import { BarChart } from "../ui/table/bar-chart.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { WithPanel } from "../ui/panel.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import "../styles/screens/metal.css";
import { HedgePanel } from "./hedge-panel.tsx";
import { Hedges } from "./hedges.tsx";
import { grams, leftText, signedGrams } from "./words.ts";

type Exposure = z.output<(typeof readExposure)["answer"]>;
type MetalView = Exposure["metals"][number];
type Step = { name: string; mg: number; from: string };

const pollMs = 15_000;
const titles = { gold: "Золото", silver: "Серебро" } as const;

/** How much metal moves with the market, what 1 % means, what the margin was, and which prices are locked. */
export function Component() {
  const staff = useStaff();
  const [params, setParams] = useSearchParams();
  const isAdding = params.get("hedge") === "new";
  const { data, refusal, reload } = useRead(contract.readExposure);
  const [version, setVersion] = useState(0);
  usePoll(() => void reload(), pollMs);
  const open = (isOpen: boolean) => setParams(isOpen ? { hedge: "new" } : {}, { replace: true });
  const download = async (format: "csv" | "xlsx") => {
    const answer = await callStaff(contract.downloadExposure, { query: { format } });
    if (answer.ok) saveFile(answer.value);
    else showToast(answer.error?.message ?? "", { isTrouble: true });
  };
  const changed = async () => {
    setVersion(version + 1);
    await reload();
  };
  return (
    <WithPanel
      panel={
        isAdding ? (
          <HedgePanel
            onClose={() => open(false)}
            onSaved={async () => {
              open(false);
              await changed();
            }}
          />
        ) : null
      }
    >
      <PageHead
        title="Металл"
        facts={data ? `на ${clock(new Date(data.at))}${data.isStale ? ", курс устарел" : ""}` : undefined}
        actions={
          <>
            <span className="muted">Выгрузить</span>
            <button className="button" type="button" onClick={() => void download("csv")}>
              CSV
            </button>
            <button className="button" type="button" onClick={() => void download("xlsx")}>
              XLSX
            </button>
            {staff.may("prices") ? (
              <button className="button button--gold" type="button" onClick={() => open(true)}>
                Записать хедж
              </button>
            ) : null}
          </>
        }
      />
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      {data?.metals.map((each) => (
        <MetalExposure key={each.metal} exposure={each} />
      ))}
      {data ? <Locks exposure={data} /> : null}
      <Margin />
      <Section title="Хеджи">
        <Hedges key={version} onChanged={changed} />
      </Section>
    </WithPanel>
  );
}

function MetalExposure({ exposure }: { exposure: MetalView }) {
  const { metal, onHandMg, lockedMg, boughtMg, hedgedMg, openMg, limitMg, isBeyond, onePercent, openValue } = exposure;
  const steps: Step[] = [
    { name: "На складе", mg: onHandMg, from: `${number(exposure.pieces)} шт.` },
    { name: "Продано, держим цену", mg: -lockedMg, from: `заказов: ${number(exposure.lockedOrders)}` },
    { name: "Выкуплено, не на полке", mg: boughtMg, from: `сделок: ${number(exposure.deals)}` },
    { name: "Закрыто хеджами", mg: -hedgedMg, from: exposure.hedges === 0 ? "нет" : `хеджей: ${exposure.hedges}` },
  ];
  let at = 0;
  const strokes = steps.map(({ mg }) => {
    const from = at;
    at += mg;
    return { from, to: at };
  });
  const ends = [0, ...strokes.map(({ to }) => to), ...(limitMg > 0 ? [Math.sign(openMg || 1) * limitMg] : [])];
  const [low, high] = [Math.min(...ends), Math.max(...ends, 1)];
  const x = (mg: number): number => 10 + ((mg - low) / (high - low)) * 680;
  return (
    <Section
      title={titles[metal]}
      aside={
        <p>
          {onePercent === null ? (
            "курса нет"
          ) : (
            <>
              1 % курса = <b className="strong number">{sum(Math.abs(Math.round(onePercent)))} ₽</b>,{" "}
              <span className="muted number">открыто на {sum(Math.round(openValue ?? 0))} ₽</span>
            </>
          )}
          {isBeyond ? ", " : null}
          {isBeyond ? <Trouble>больше предела на {grams(Math.abs(openMg) - limitMg)} г</Trouble> : null}
        </p>
      }
    >
      <div className="table-scroll" role="region" aria-label={`${titles[metal]}: открытые граммы`} tabIndex={0}>
        <table className="table table--tight exposure">
          <caption className="visually-hidden">{titles[metal]}, граммы чистого металла</caption>
          <thead>
            <tr>
              <th scope="col" className="what">
                Граммы чистого
              </th>
              <th scope="col" className="align-right grams">
                {titles[metal]}
              </th>
              <th scope="col">
                <span className="axis number">
                  <span>{grams(low)}</span>
                  <span>{grams(high)}</span>
                </span>
              </th>
              <th scope="col" className="align-right from">
                Из чего
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ name, mg, from }, index) => {
              const stroke = strokes[index] ?? { from: 0, to: 0 };
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td className="align-right strong number">{index === 0 ? grams(mg) : mg === 0 ? "0" : signedGrams(mg)}</td>
                  <td className="drawing">
                    <Drawing>
                      <path className="link" d={`M${x(stroke.from)} -6V13`} />
                      <path className="value" d={`M${x(stroke.from)} 13H${x(stroke.to)}`} />
                      <path className="end-mark" d={`M${x(stroke.from)} 7V19M${x(stroke.to)} 7V19`} />
                    </Drawing>
                  </td>
                  <td className="align-right soft">{from}</td>
                </tr>
              );
            })}
            <tr className="open">
              <th scope="row">Открыто</th>
              <td className="align-right number">{signedGrams(openMg)}</td>
              <td className="drawing">
                <Drawing>
                  <path className="link" d={`M${x(openMg)} -6V13`} />
                  <path className={metal === "gold" ? "rest" : "rest rest--silver"} d={`M${x(0)} 13H${x(openMg)}`} />
                  <path className="end-mark" d={`M${x(0)} 5V21M${x(openMg)} 5V21`} />
                  {limitMg > 0 ? <path className="limit" d={`M${x(Math.sign(openMg || 1) * limitMg)} 0V26`} /> : null}
                </Drawing>
              </td>
              <td className="align-right soft nowrap">{limitMg > 0 ? `предел ±${grams(limitMg)} г` : "без предела"}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const Drawing = ({ children }: { children: React.ReactNode }) => (
  <svg className="dimension" viewBox="0 0 700 26" preserveAspectRatio="none" aria-hidden="true">
    {[10, 180, 350, 520, 690].map((at) => (
      <path key={at} className="grid" d={`M${at} 0V26`} />
    ))}
    {children}
  </svg>
);

function Locks({ exposure: { locks, at } }: { exposure: Exposure }) {
  const now = new Date(at).getTime();
  return (
    <Section title="Цена держится" aside={<span className="muted">{locks.length}</span>}>
      {locks.length === 0 ? <p className="soft">Сейчас ни одной</p> : null}
      {locks.length > 0 ? (
        <>
          <div className="table-scroll" role="region" aria-label="Зафиксированные цены" tabIndex={0}>
            <table className="table table--tight">
              <caption className="visually-hidden">Зафиксированные цены</caption>
              <thead>
                <tr>
                  <th scope="col">Кто</th>
                  <th scope="col" className="align-right">
                    Золото, г
                  </th>
                  <th scope="col" className="align-right">
                    Серебро, г
                  </th>
                  <th scope="col" className="align-right">
                    Ещё
                  </th>
                  <th scope="col">
                    <span className="visually-hidden">Остаток времени</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {locks.map((lock, index) => {
                  const [since, until] = [new Date(lock.since).getTime(), new Date(lock.until).getTime()];
                  const part = Math.min(1, Math.max(0, (until - now) / Math.max(1, until - since)));
                  const isSoon = until - now < 60_000;
                  return (
                    <tr key={lock.order?.id ?? `cart ${index}`}>
                      <th scope="row">{lock.order ? <Link to={`/orders/${lock.order.id}`}>{lock.order.number}</Link> : "Корзина"}</th>
                      <td className="number align-right">{lock.goldMg === 0 ? "" : grams(lock.goldMg)}</td>
                      <td className="number align-right">{lock.silverMg === 0 ? "" : grams(lock.silverMg)}</td>
                      <td className={isSoon ? "number align-right warn strong" : "number align-right"}>{leftText(until - now)}</td>
                      <td>
                        <svg className="time-left" viewBox="0 0 64 8" aria-hidden="true">
                          <path className="line" d="M0 4H64M.5 1V7M63.5 1V7" />
                          <path className={isSoon ? "value value--bad" : "value"} d={`M0 4H${64 * part}`} />
                        </svg>
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
          <p className="hint">Граммы заказов учтены выше. Граммы корзин ещё нет: заказа может не быть.</p>
        </>
      ) : null}
    </Section>
  );
}

function Margin() {
  const [today] = useState(() => moscow(new Date()).date);
  const from = `${today.slice(0, 8)}01`;
  const { data } = useRead(contract.readReport, { params: { name: "margin_days" }, query: { from, till: today } });
  if (!data) return null;
  const bars = data.rows.map(([day, gold, silver]) => ({
    label: String(Number(String(day).slice(8))),
    values: [Number(gold) / 1_000, Number(silver) / 1_000],
  }));
  const total = data.rows.reduce((all, row) => all + Number(row[3]), 0);
  const last = Number(data.rows.at(-1)?.[3] ?? 0);
  return (
    <Section
      title="Маржа над металлом, тысяч рублей"
      aside={
        <Link to={`/reports?view=margin_days&from=${from}&till=${today}`} className="soft">
          таблицей
        </Link>
      }
    >
      <BarChart
        bars={bars}
        series={["золото", "серебро"]}
        summary={`Маржа над металлом с ${dayOfYear(from)}: всего ${sum(Math.round(total))} ₽, сегодня ${sum(Math.round(last))} ₽`}
      />
    </Section>
  );
}
