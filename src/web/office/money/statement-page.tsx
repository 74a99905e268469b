import { useEffect, useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { counted } from "#kit/format.ts";
import { useStaff } from "../session.ts";
import { setCounts } from "../shell/counts.ts";
import { useKeys } from "../shell/keys.ts";
import { when } from "../staff/words.ts";
import { base64Of } from "../ui/send/base64.ts";
import { FileDrop } from "../ui/form/file-drop.tsx";
import { DoneMark, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { sendParts } from "../ui/send/send-parts.ts";
import { showToast } from "../ui/toasts.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/statement.css";
import { EntryPane } from "./entry-pane.tsx";
import { SettledRows } from "./settled-rows.tsx";
import { countText, periodText, reasonTexts, suggestionTexts, sum, type LeftEntry, type StatementView } from "./words.ts";

const rowForms = ["строка", "строки", "строк"] as const;
/** As many entries as one call settles. */
const maxPerRequest = 200;
/** The bank client's own limit is far below; the server refuses more. */
const fileBytes = 5 * 1024 * 1024;

/** The bank's statement: what is left first, suggestions next, what is settled folded; one entry beside it. */
export function Component() {
  const { id = "newest" } = useParams();
  return <Statement key={id} id={id} />;
}

function Statement({ id }: { id: string }) {
  const navigate = useNavigate();
  const staff = useStaff();
  const mayEnter = staff.may("money.enter") !== null;
  const { data, refusal, isLoading, reload } = useRead(contract.readStatement, { params: { id } });
  const { data: counts, reload: recount } = useRead(contract.readMoneyCounts);
  const upload = useSend(contract.importStatement);
  const settle = useSend(contract.settleEntries);
  const [fileError, setFileError] = useState<string | null>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  /** Why an entry was not settled, by its id. */
  const [reasons, setReasons] = useState<ReadonlyMap<number, string>>(new Map());
  const isEmpty = refusal?.code === "staff.not_found";

  const left = data?.left ?? [];
  const strong = (entry: LeftEntry) => entry.suggestions.find(({ isStrong }) => isStrong);
  const unmatched = left.filter((entry) => !strong(entry));
  const suggested = left.filter((entry) => strong(entry));
  const order = [...unmatched, ...suggested];
  const entry = order.find((each) => each.id === current) ?? order[0];
  const choose = (next: LeftEntry | undefined) => {
    if (next && next.id !== entry?.id) void leavePanel(() => setCurrent(next.id));
  };
  const walk = (step: number) => {
    const at = order.findIndex((each) => each.id === entry?.id);
    choose(order[Math.min(Math.max(at + step, 0), order.length - 1)]);
  };

  const refresh = async () => {
    await Promise.all([reload(), recount()]);
  };
  const take = async ([file]: File[]) => {
    setFileError(null);
    if (!file) return;
    if (file.size > fileBytes) return setFileError("Файл больше 5 МБ");
    if (file.size === 0) return setFileError("Файл пустой");
    const answer = await upload.send({ body: { name: file.name.slice(0, 200), content: await base64Of(file) } });
    if (!answer) return;
    if (!answer.ok) return setFileError(answer.error ? (answer.error.fields["content"] ?? answer.error.message) : null);
    const { statement, isRepeat } = answer.value;
    const done = statement.counts.counted ?? 0;
    showToast(isRepeat ? "Эту выписку уже загружали: ничего не посчитано дважды" : `Разнесено сразу: ${done} из ${statement.entries}`);
    setCurrent(null);
    await navigate(`/statement/${statement.id}`);
    await refresh();
  };
  const settleMany = async (entries: readonly LeftEntry[]) => {
    const wanted = entries.flatMap((each) => {
      const best = strong(each);
      return best ? [{ id: each.id, orderId: best.id }] : [];
    });
    const { rows: results, refusal: why } = await sendParts(wanted, maxPerRequest, async (part) => {
      const answer = await settle.send({ body: { entries: part } });
      return answer?.ok ? { ok: true, value: answer.value.results } : answer;
    });
    setTrouble(why);
    if (results.length === 0) return;
    setReasons((before) => new Map([...before, ...results.map(({ id: each, message }) => [each, message] as const)]));
    showToast(`Зачтено: ${results.filter(({ isSettled }) => isSettled).length} из ${wanted.length}`);
    await refresh();
  };
  useKeys(
    [
      { code: "KeyJ", label: "Следующая строка", run: () => walk(1) },
      { code: "KeyK", label: "Предыдущая строка", run: () => walk(-1) },
      ...(mayEnter && suggested.length > 0
        ? [{ code: "KeyA", label: "Принять все предложенные", run: () => void settleMany(suggested) }]
        : []),
    ],
    order.length > 0,
  );

  useEffect(() => {
    if (counts) setCounts({ "/statement": { text: countText(counts.entries) } });
  }, [counts]);

  const statement = data?.statement;
  // The count ends at 1,001: beyond that it says nothing exact about the others.
  const waiting = counts?.entries ?? 0;
  const waitElsewhere = waiting > 1_000 ? waiting : Math.max(0, waiting - left.length);
  return (
    <div className={entry && mayEnter ? "two-panes" : undefined}>
      <div>
        <PageHead
          title={statement ? `Выписка ${periodText(statement)}` : "Выписка"}
          facts={
            statement
              ? `${counted(statement.entries, rowForms)}, загрузил ${statement.importedBy} ${when(statement.importedAt)}`
              : undefined
          }
          actions={
            <Link className="button" to="/statement/all">
              Все выписки
            </Link>
          }
        />
        {mayEnter ? (
          <FileDrop
            label={statement ? "Ещё файл: перетащите или выберите" : "Перетащите файл выписки или выберите"}
            accept=".txt,.1c,text/plain"
            hint="Формат 1CClientBankExchange из банк-клиента, до 5 МБ. Тот же файл дважды не посчитается"
            error={fileError}
            isBusy={upload.isBusy}
            onFiles={(files) => void take(files)}
          />
        ) : null}
        {refusal && !isEmpty ? (
          <Notice tone="warn">
            <p>{refusal.message}</p>
          </Notice>
        ) : null}
        {trouble ? (
          <Notice tone="warn">
            <p>{trouble}</p>
          </Notice>
        ) : null}
        {isEmpty ? <p className="soft">Выписок ещё нет.</p> : null}
        {!statement && isLoading ? <p role="status">Загружаем…</p> : null}
        {statement ? (
          <>
            <Figures statement={statement} />
            <Split settled={statement.entries - left.length} suggested={suggested.length} left={unmatched.length} />
            {statement.faults.length > 0 ? (
              <Notice tone="warn">
                <p>
                  Не прочитаны строки файла: {statement.faults.map(({ line }) => line).join(", ")}. Выгрузите выписку ещё раз или внесите их
                  вручную.
                </p>
              </Notice>
            ) : null}
            {waitElsewhere > 0 ? <p className="soft">Строк ждёт и в других выписках: {countText(waitElsewhere)}</p> : null}
            <div className="table-scroll" role="region" aria-label="Строки выписки" tabIndex={0}>
              <table className="table">
                <caption className="visually-hidden">Строки выписки</caption>
                <thead>
                  <tr>
                    <th scope="col">Поручение</th>
                    <th scope="col">От кого</th>
                    <th scope="col">Назначение</th>
                    <th scope="col" className="align-right">
                      Сумма, ₽
                    </th>
                    <th scope="col">Куда</th>
                  </tr>
                </thead>
                {unmatched.length > 0 ? (
                  <tbody>
                    <tr className="group-row">
                      <th colSpan={5} scope="rowgroup">
                        Не сошлось{" "}
                        <span className="muted">
                          {unmatched.length} на {sum(totalOf(unmatched))} ₽
                        </span>
                      </th>
                    </tr>
                    {unmatched.map((each) => (
                      <Row key={each.id} entry={each} isCurrent={each.id === entry?.id} isBad onChoose={() => choose(each)}>
                        <span className="soft">{each.reason ? reasonTexts[each.reason] : ""}</span> <Refused why={reasons.get(each.id)} />
                      </Row>
                    ))}
                  </tbody>
                ) : null}
                {suggested.length > 0 ? (
                  <tbody>
                    <tr className="group-row">
                      <th colSpan={5} scope="rowgroup">
                        Предложено <span className="muted">{suggested.length}, проверьте и примите</span>
                        {mayEnter ? (
                          <button
                            className="button button--small"
                            type="button"
                            disabled={settle.isBusy}
                            onClick={() => void settleMany(suggested)}
                          >
                            Принять все {suggested.length} <kbd>A</kbd>
                          </button>
                        ) : null}
                      </th>
                    </tr>
                    {suggested.map((each) => {
                      const best = strong(each);
                      return (
                        <Row key={each.id} entry={each} isCurrent={each.id === entry?.id} onChoose={() => choose(each)}>
                          {best ? (
                            <>
                              <Link to={`/orders/${best.id}`}>{best.number}</Link>{" "}
                              <span className="muted">{best.reasons.map((reason) => suggestionTexts[reason]).join(", ")}</span>{" "}
                              <Refused why={reasons.get(each.id)} />{" "}
                              {mayEnter ? (
                                <button
                                  className="button button--small"
                                  type="button"
                                  disabled={settle.isBusy}
                                  onClick={() => void settleMany([each])}
                                >
                                  Зачесть
                                </button>
                              ) : null}
                            </>
                          ) : null}
                        </Row>
                      );
                    })}
                  </tbody>
                ) : null}
              </table>
            </div>
            {left.length === 0 ? (
              <p className="with-mark good">
                <DoneMark />
                Всё разнесено
              </p>
            ) : null}
            <SettledRows
              key={`${statement.id} ${left.length}`}
              statementId={statement.id}
              count={statement.entries - left.length}
              mayReopen={mayEnter}
              onChange={refresh}
            />
          </>
        ) : null}
      </div>
      {entry && mayEnter ? <EntryPane key={entry.id} entry={entry} onDone={refresh} onSkip={() => walk(1)} /> : null}
    </div>
  );
}

/** Why «Зачесть» did not settle this entry. */
const Refused = ({ why }: { why: string | undefined }) =>
  why ? (
    <span className="entry-refusal">
      <Trouble>{why}</Trouble>
    </span>
  ) : null;

const totalOf = (entries: readonly LeftEntry[]): number =>
  entries.reduce((total, { amount, isOutgoing }) => total + Math.round(amount * 100) * (isOutgoing ? -1 : 1), 0) / 100;

function Row({
  entry,
  isCurrent,
  isBad = false,
  onChoose,
  children,
}: {
  entry: LeftEntry;
  isCurrent: boolean;
  isBad?: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <tr className={[isBad ? "is-bad" : "", isCurrent ? "is-current" : ""].join(" ").trim() || undefined} onClick={onChoose}>
      <td className="number soft nowrap">{entry.number}</td>
      <th scope="row" className="bounded">
        <button className="text-button" type="button" aria-pressed={isCurrent} onClick={onChoose}>
          {entry.payer || "Без имени"}
        </button>
      </th>
      <td className="truncated soft">{entry.purpose}</td>
      <td className="align-right number strong nowrap">
        {entry.isOutgoing ? "−" : ""}
        {sum(entry.amount)}
      </td>
      <td className="nowrap">{children}</td>
    </tr>
  );
}

function Figures({ statement: { opening, received, spent, closing, isBalanced } }: { statement: StatementView }) {
  const shown = (value: number | null) => (value === null ? "нет в файле" : `${sum(value)} ₽`);
  return (
    <dl className="figures">
      <div>
        <dt>На утро</dt>
        <dd className="number">{shown(opening)}</dd>
      </div>
      <div>
        <dt>пришло</dt>
        <dd className="number">{shown(received)}</dd>
      </div>
      <div>
        <dt>ушло</dt>
        <dd className="number">{shown(spent)}</dd>
      </div>
      <div>
        {isBalanced === false ? (
          <dt>
            <Trouble>на вечер не сошлось</Trouble>
          </dt>
        ) : (
          <dt className={isBalanced ? "good with-mark" : undefined}>
            {isBalanced ? <DoneMark /> : null}
            {isBalanced ? "на вечер сошлось" : "на вечер"}
          </dt>
        )}
        <dd className="number">{shown(closing)}</dd>
      </div>
    </dl>
  );
}

/** The entries of a statement in three parts, to scale. */
function Split({ settled, suggested, left }: { settled: number; suggested: number; left: number }) {
  const whole = Math.max(1, settled + suggested + left);
  const from = 2;
  const width = 702;
  const first = from + (width * settled) / whole;
  const second = first + (width * suggested) / whole;
  const end = from + width;
  return (
    <svg
      className="split"
      viewBox="0 0 706 42"
      role="img"
      aria-label={`Из ${whole} строк разнесено ${settled}, предложено ${suggested}, не сошлось ${left}`}
    >
      <path className="split__settled" d={`M${from} 10H${first}`} />
      <path className="split__suggested" d={`M${first} 10H${second}`} />
      <path className="split__left" d={`M${second} 10H${end}`} />
      <path className="tick" d={`M${from} 3V17M${first} 3V17M${second} 3V17M${end} 3V17`} />
      <text x={from} y="36">
        <tspan className="key-text">{settled}</tspan> разнесено
      </text>
      <text x={end} y="36" textAnchor="end">
        <tspan className="key-text">{suggested}</tspan> предложено, <tspan className="key-text">{left}</tspan> не сошлось
      </text>
    </svg>
  );
}
