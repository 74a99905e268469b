import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readStocktake } from "#contract/staff/stock.ts";
import { callStaff } from "../client.ts";
import { useStaff } from "../session.ts";
import { usePoll } from "../shell/activity.ts";
import { useKeys } from "../shell/keys.ts";
import { MissingScreen } from "../shell/states.tsx";
import { when } from "../staff/words.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { Field } from "../ui/form/field.tsx";
import { Good, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { untilAnswered, waitsForConnection } from "../ui/send/until-answered.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/stock.css";
import { signed, stocktakeTexts } from "./words.ts";

type Stocktake = z.output<(typeof readStocktake)["answer"]>;
type Line = Stocktake["lines"][number];
type ScanReport = { text: string; isTrouble: boolean };

const pollMs = 5_000;

/** A blind count: pieces are scanned one by one or typed. What the ledger expects is shown after the end only. */
export function Component() {
  const { id = "" } = useParams();
  return <StocktakeSheet key={id} id={id} />;
}

function StocktakeSheet({ id }: { id: string }) {
  const staff = useStaff();
  const { data, refusal, reload } = useRead(contract.readStocktake, { params: { id } });
  const isCounting = data?.state === "counting";
  usePoll(() => void (isCounting && reload()), pollMs);
  if (refusal?.code === "staff.not_found" && !data) return <MissingScreen />;
  if (refusal && !data)
    return (
      <Notice tone="warn">
        <p>{refusal.message}</p>
      </Notice>
    );
  if (!data) return <p role="status">Загружаем…</p>;
  return isCounting && staff.may("stock.post") ? <Counting stocktake={data} onChanged={reload} /> : <Result stocktake={data} />;
}

function Counting({ stocktake, onChanged }: { stocktake: Stocktake; onChanged: () => Promise<void> }) {
  const navigate = useNavigate();
  const { id, lines } = stocktake;
  const [report, setReport] = useState<ScanReport | null>(null);
  const [onlyLeft, setOnlyLeft] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Counts are sent one after another: a scanner is faster than the network.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const finish = useSend(contract.finishStocktake, { stores: "screen" });
  const cancel = useSend(contract.cancelStocktake, { stores: "screen" });
  useKeys([{ code: "F2", label: "Поле сканера", run: () => field.current?.focus() }]);
  useEffect(() => field.current?.focus(), []);

  const count = useCallback(
    (what: { code: string } | { coin: number }, quantity: number, mode: "add" | "all") => {
      queue.current = queue.current.then(async () => {
        const answer = await untilAnswered(
          (key) => callStaff(contract.countPieces, { params: { id }, body: { ...what, quantity, mode }, key }),
          {
            onLost: () => setReport({ text: waitsForConnection, isTrouble: true }),
          },
        );
        if (answer.ok) setReport({ text: `${answer.value.coin.title}: посчитано ${answer.value.counted}`, isTrouble: false });
        else if (answer.error) setReport({ text: answer.error.message, isTrouble: true });
        await onChanged();
      });
    },
    [id, onChanged],
  );
  const end = async () => {
    const left = stocktake.lineCount - stocktake.countedLines;
    const text = left > 0 ? `Не посчитано монет: ${left}. Их остаток не изменится.` : "Расхождения станут черновиком исправления.";
    if (!(await confirm({ title: "Закончить счёт?", text, action: "Закончить" }))) return;
    const answer = await finish.send({ params: { id } });
    if (answer?.ok && answer.value.documentId !== null) await navigate(`/stock/documents/${answer.value.documentId}`);
    else await onChanged();
  };
  const stop = async () => {
    if (!(await confirm({ title: "Прервать без результата?", action: "Прервать" }))) return;
    await cancel.send({ params: { id } });
    await onChanged();
  };
  const refusal = finish.refusal ?? cancel.refusal;
  const again = finish.refusal?.code === "stock.count_again" ? finish.refusal.data.coins : [];
  const shown = onlyLeft ? lines.filter(({ counted }) => counted === null) : lines;
  return (
    <>
      <PageHead
        title={stocktake.title}
        facts={`посчитано ${stocktake.countedLines} из ${stocktake.lineCount}`}
        actions={
          <>
            <button className="button button--quiet" type="button" disabled={cancel.isBusy} onClick={() => void stop()}>
              Прервать
            </button>
            <button className="button button--gold" type="button" disabled={finish.isBusy} onClick={() => void end()}>
              Закончить счёт
            </button>
          </>
        }
      />
      {refusal ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
          {again.length > 0 ? <p>{again.map(({ title }) => title).join(", ")}</p> : null}
        </Notice>
      ) : null}
      <div className="stock-scan">
        <label className="field__label" htmlFor="count-code">
          Код монеты: сканер прибавляет одну
        </label>
        <input
          className="input"
          id="count-code"
          data-passing
          ref={field}
          autoComplete="off"
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            const code = event.currentTarget.value.trim();
            event.currentTarget.value = "";
            if (code !== "") count({ code }, 1, "add");
          }}
        />
        <kbd>F2</kbd>
        <button className="button button--quiet" type="button" aria-pressed={onlyLeft} onClick={() => setOnlyLeft(!onlyLeft)}>
          {onlyLeft ? "Показать все" : "Только непосчитанные"}
        </button>
      </div>
      <p role={report?.isTrouble ? "alert" : "status"}>
        {report ? report.isTrouble ? <Trouble>{report.text}</Trouble> : <Good>{report.text}</Good> : null}
      </p>
      <div className="table-scroll" role="region" aria-label="Лист пересчёта" tabIndex={0}>
        <table className="table">
          <caption className="visually-hidden">Лист пересчёта</caption>
          <thead>
            <tr>
              <th scope="col">Монета</th>
              <th scope="col">Всего лежит</th>
              <th scope="col">Кто и когда</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <CountRow key={line.coin.id} line={line} onCount={(quantity) => count({ coin: line.coin.id }, quantity, "all")} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function CountRow({ line, onCount }: { line: Line; onCount: (quantity: number) => void }) {
  const { coin, counted, hasMoved, countedAt, countedBy } = line;
  const [typed, setTyped] = useState<string | null>(null);
  const stored = counted === null ? "" : String(counted);
  const isWrong = typed !== null && typed.trim() !== "" && !/^\d{1,6}$/.test(typed.trim());
  const send = () => {
    if (typed !== null && !isWrong && typed.trim() !== "" && (typed.trim() !== stored || hasMoved)) onCount(Number(typed));
    if (!isWrong) setTyped(null);
  };
  return (
    <tr className={hasMoved ? "is-bad" : undefined}>
      <th scope="row">
        {coin.title} <span className="muted">{coin.code}</span>{" "}
        {hasMoved ? <Trouble>посчитайте ещё раз: пока считали, часть ушла с полки</Trouble> : null}
      </th>
      <td>
        <Field
          label={`${coin.title}, всего лежит`}
          isLabelHidden
          inputMode="numeric"
          autoComplete="off"
          className="input input--right"
          value={typed ?? stored}
          error={isWrong ? "Целое число" : null}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={send}
          onKeyDown={(event) => {
            if (event.key === "Enter") send();
          }}
        />
      </td>
      <td className="soft nowrap">{countedAt ? `${countedBy}, ${when(countedAt)}` : ""}</td>
    </tr>
  );
}

function Result({ stocktake }: { stocktake: Stocktake }) {
  const { lines, documentId } = stocktake;
  const differing = lines.filter(({ counted, expected }) => counted !== null && expected !== undefined && counted !== expected);
  return (
    <>
      <PageHead
        title={stocktake.title}
        facts={`${stocktakeTexts[stocktake.state]}, ${stocktake.countedLines} из ${stocktake.lineCount}, расходится ${differing.length}`}
        actions={
          documentId === null ? null : (
            <Link className="button button--gold" to={`/stock/documents/${documentId}`}>
              Исправление, документ {documentId}
            </Link>
          )
        }
      />
      <div className="table-scroll" role="region" aria-label="Итог пересчёта" tabIndex={0}>
        <table className="table table--tight">
          <caption className="visually-hidden">Итог пересчёта</caption>
          <thead>
            <tr>
              <th scope="col">Монета</th>
              <th scope="col" className="align-right">
                По учёту
              </th>
              <th scope="col" className="align-right">
                Посчитано
              </th>
              <th scope="col" className="align-right">
                Разница
              </th>
              <th scope="col">Кто и когда</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ coin, counted, expected = null, countedAt, countedBy }) => (
              <tr key={coin.id} className={counted !== null && expected !== null && counted !== expected ? "is-bad" : undefined}>
                <th scope="row">
                  <Link to={`/stock/coins/${coin.id}`}>{coin.title}</Link> <span className="muted">{coin.code}</span>
                </th>
                <td className="number align-right">{expected ?? ""}</td>
                <td className="number align-right">{counted ?? "не считали"}</td>
                <td className="number align-right strong">
                  {counted === null || expected === null ? "" : counted === expected ? "0" : signed(counted - expected)}
                </td>
                <td className="soft nowrap">{countedAt ? `${countedBy}, ${when(countedAt)}` : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
