import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { number } from "#kit/format.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { days, plus } from "#kit/time.ts";
import { reportNames, type Period, type ReportCell, type ReportName, type Unit } from "#shop/reports/report.ts";
import { callStaff, saveFile } from "../client.ts";
import { dayText, sum } from "../money/words.ts";
import { BarChart, NamedBars } from "../ui/table/bar-chart.tsx";
import { DateInput } from "../ui/form/date-input.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useAddressParams } from "../ui/table/address-params.ts";
import { intoView } from "../ui/table/view-tabs.tsx";
import { barsOf, type Report } from "./bars.ts";
import "../styles/screens/metal.css";

const tabs: Readonly<Record<ReportName, string>> = {
  days: "По дням",
  coins: "По монетам",
  orders: "По заказам",
  delivery: "Доставка",
  payment: "Оплата",
  buyers: "Покупатели",
  channels: "Каналы",
  sources: "Источники",
  margin_days: "Маржа",
  repeat: "Повторные",
  stock: "Склад",
  searches: "Поиск",
  checkout: "Брошенные",
};

/** A number of a report with the digits of its unit; «нет данных» for what is not known. */
function cellText(cell: ReportCell | undefined, unit: Unit): string {
  if (cell === null || cell === undefined) return "нет данных";
  if (typeof cell === "string") return /^\d{4}-\d{2}-\d{2}$/.test(cell) ? dayText(cell) : cell;
  if (unit === "roubles") return sum(Math.round(cell));
  return unit === "percent" ? number(cell, 1) : unit === "grams" ? number(cell, 2) : number(cell);
}

/** Reports by tabs, over a period of Moscow days that is in the address. */
export function Component() {
  const [params, changeParams] = useAddressParams();
  const name = reportNames.find((each) => each === params.get("view")) ?? "days";
  const [today] = useState(() => moscow(new Date()).date);
  const from = params.get("from") ?? moscow(plus(fromMoscow(today), -days(29))).date;
  const till = params.get("till") ?? today;
  const { data, refusal, isLoading, reload } = useRead(contract.readReport, { params: { name }, query: { from, till } });
  const change = (part: Record<string, string>) =>
    changeParams((next) => {
      for (const [key, value] of Object.entries(part)) next.set(key, value);
    });
  const download = async (format: "csv" | "xlsx") => {
    const answer = await callStaff(contract.downloadReport, { params: { name }, query: { from, till, format } });
    if (answer.ok) saveFile(answer.value);
    else showToast(answer.error?.message ?? "", { isTrouble: true });
  };
  const fields = refusal?.fields ?? {};
  return (
    <>
      <PageHead
        title="Отчёты"
        facts={data?.title}
        actions={
          <>
            <button className="button" type="button" onClick={() => void download("csv")}>
              CSV
            </button>
            <button className="button" type="button" onClick={() => void download("xlsx")}>
              XLSX
            </button>
          </>
        }
      />
      <nav className="tabs report-tabs" aria-label="Отчёты">
        {reportNames.map((each) => (
          <button
            key={each}
            ref={each === name ? intoView : null}
            type="button"
            aria-current={each === name ? "page" : undefined}
            onClick={() => change({ view: each })}
          >
            {tabs[each]}
          </button>
        ))}
      </nav>
      {name === "stock" ? null : (
        <div className="report-bar" data-passing>
          <DateInput label="С" value={from} max={till} error={fields["from"] ?? null} onChange={(day) => day && change({ from: day })} />
          <DateInput label="По" value={till} max={today} error={fields["till"] ?? null} onChange={(day) => day && change({ till: day })} />
          <button className="button" type="button" onClick={() => change({ from: today, till: today })}>
            Сегодня
          </button>
          <button className="button" type="button" onClick={() => change({ from: `${today.slice(0, 8)}01`, till: today })}>
            Этот месяц
          </button>
        </div>
      )}
      {refusal && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>
            {refusal.message}{" "}
            <button className="text-button" type="button" onClick={() => void reload()}>
              Повторить
            </button>
          </p>
        </Notice>
      ) : null}
      {data ? <Table report={data} period={{ from, till }} isLoading={isLoading} /> : <p role="status">{refusal ? "" : "Загружаем…"}</p>}
    </>
  );
}

function Table({ report, period, isLoading }: { report: Report; period: Period; isLoading: boolean }) {
  const { columns, rows, totals, chart, isCut, note, title } = report;
  const bars = barsOf(report, period);
  const Chart = columns[0]?.key === "day" && chart.by === "rows" ? BarChart : NamedBars;
  return (
    <div aria-busy={isLoading}>
      {bars.length > 0 ? (
        <Chart
          bars={bars}
          series={chart.by === "sums" ? [""] : columns.filter(({ key }) => chart.columns.includes(key)).map((column) => column.title)}
          summary={`${title}: столбцы, те же числа в таблице ниже`}
        />
      ) : null}
      {bars.length > 0 && chart.by === "rows" && rows.length > chart.most ? (
        <p className="hint">На графике первые {chart.most} строк таблицы.</p>
      ) : null}
      <div className="table-scroll" role="region" aria-label={title} tabIndex={0}>
        <table className="table table--tight table--report">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.key} scope="col" className={column.unit === "text" ? undefined : "align-right"}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={`${row[0]} ${place}`}>
                {columns.map(({ key, unit }, index) =>
                  index === 0 ? (
                    <th key={key} scope="row" className="nowrap">
                      {cellText(row[index], unit)}
                    </th>
                  ) : (
                    <td key={key} className={unit === "text" ? undefined : "number align-right"}>
                      {cellText(row[index], unit)}
                    </td>
                  ),
                )}
              </tr>
            ))}
            {rows.length === 0 ? (
              <tr>
                <td className="table__state" colSpan={columns.length}>
                  За эти дни ничего нет
                </td>
              </tr>
            ) : null}
          </tbody>
          {totals ? (
            <tfoot>
              <tr>
                {columns.map(({ key, unit }, index) =>
                  index === 0 ? (
                    <th key={key} scope="row">
                      Всего
                    </th>
                  ) : (
                    <td key={key} className="number align-right">
                      {totals[index] === null ? "" : cellText(totals[index], unit)}
                    </td>
                  ),
                )}
              </tr>
            </tfoot>
          ) : null}
        </table>
      </div>
      {isCut ? <p className="hint">Показаны первые {number(rows.length)} строк, «Всего» — по всем.</p> : null}
      <p className="hint">{note}</p>
    </div>
  );
}
