import { useEffect, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { counted } from "#kit/format.ts";
import { useStaff } from "../../session.ts";
import { setCounts } from "../../shell/counts.ts";
import { useKeys } from "../../shell/keys.ts";
import { when } from "../../staff/words.ts";
import { base64Of } from "../../ui/send/base64.ts";
import { FileDrop } from "../../ui/form/file-drop.tsx";
import { DoneMark, Notice } from "../../ui/marks.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { sendParts } from "../../ui/send/send-parts.ts";
import { showToast } from "../../ui/toasts.tsx";
import { leavePanel } from "../../ui/form/unsaved.ts";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import "../../styles/screens/statement.css";
import { EntryPane } from "./entry-pane.tsx";
import { EntryTable, strongSuggestion } from "./entry-table.tsx";
import { SettledRows } from "./settled-rows.tsx";
import { StatementBar, StatementFigures } from "./statement-figures.tsx";
import { countText, periodText, type LeftEntry } from "../words.ts";

const rowForms = ["строка", "строки", "строк"] as const;
/** As many entries as one call settles. */
const maxPerRequest = 200;
/** The server refuses a larger file; statements of a bank client are far smaller. */
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
  const unmatched = left.filter((each) => !strongSuggestion(each));
  const suggested = left.filter((each) => strongSuggestion(each));
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
  const importFile = async ([file]: File[]) => {
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
  /** Settles entries on the orders that are suggested, and shows which could not be. */
  const settleSuggested = async (entries: readonly LeftEntry[]) => {
    const wanted = entries.flatMap((each) => {
      const best = strongSuggestion(each);
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
        ? [{ code: "KeyA", label: "Принять все предложенные", run: () => void settleSuggested(suggested) }]
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
            onFiles={(files) => void importFile(files)}
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
            <StatementFigures statement={statement} />
            <StatementBar settled={statement.entries - left.length} suggested={suggested.length} left={unmatched.length} />
            {statement.faults.length > 0 ? (
              <Notice tone="warn">
                <p>
                  Не прочитаны строки файла: {statement.faults.map(({ line }) => line).join(", ")}. Выгрузите выписку ещё раз или внесите их
                  вручную.
                </p>
              </Notice>
            ) : null}
            {waitElsewhere > 0 ? <p className="soft">Строк ждёт и в других выписках: {countText(waitElsewhere)}</p> : null}
            <EntryTable
              unmatched={unmatched}
              suggested={suggested}
              currentId={entry?.id}
              reasons={reasons}
              onChoose={choose}
              onSettle={mayEnter ? (entries) => void settleSuggested(entries) : null}
              isBusy={settle.isBusy}
            />
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
