import { useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import type { AnswerOf } from "../client.ts";
import { notReadyTexts } from "../coins/words.ts";
import { useStaff } from "../session.ts";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { MissingScreen } from "../shell/states.tsx";
import { actorText, when } from "../staff/words.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { countsText, kindNames, stateNames, type ImportItem, type RowView } from "./words.ts";
import { useRecheck } from "./use-recheck.ts";

type Show = "all" | "new" | "changed" | "error" | "warning";
const shows: readonly Show[] = ["all", "new", "changed", "error", "warning"];
type Published = AnswerOf<StaffEntryOf<typeof contract.publishImported>>["items"][number];

/** What a file would change, row by row; applied by one press. */
export function Component() {
  const { id = "" } = useParams();
  return <ImportPage key={id} id={id} />;
}

function ImportPage({ id }: { id: string }) {
  const [params] = useSearchParams();
  const pages = usePages();
  const show = shows.find((each) => each === params.get("view")) ?? "all";
  const query = { show, ...(pages.cursor ? { cursor: pages.cursor } : {}) };
  const { data, refusal, reload } = useRead(contract.readImport, { params: { id }, query });
  const made = data?.import;
  const heads = data?.heads ?? {};
  if (refusal?.code === "staff.not_found") return <MissingScreen />;
  const columns: Column<RowView>[] = [
    { key: "line", head: "Строка", isRight: true, cell: ({ line }) => <span className="number soft">{line}</span> },
    { key: "article", head: "Артикул", isRight: true, cell: ({ coinId }) => <span className="number">{coinId ?? "новый"}</span> },
    { key: "title", head: "Монета", isRowHead: true, cell: ({ title }) => title || "Без названия" },
    { key: "what", head: "Что изменится", isWrapped: true, cell: (row) => <Changes row={row} heads={heads} /> },
  ];
  return (
    <>
      <PageHead
        title={made ? `${kindNames[made.kind]}: ${made.fileName}` : "Загрузка"}
        facts={made ? `${stateNames[made.state]}, ${actorText(made.createdBy)} ${when(made.createdAt)}` : undefined}
        actions={made ? <Acts made={made} onDone={reload} /> : undefined}
      />
      {made ? <Summary made={made} /> : null}
      {made?.result?.addedIds?.length ? <NewCoins id={made.id} count={made.result.addedIds.length} /> : null}
      <ViewTabs
        label="Какие строки показать"
        views={[
          { id: "all", label: "Все отличия" },
          { id: "new", label: "Новые", ...tab(made?.counts.new) },
          { id: "changed", label: "Изменения", ...tab(made?.counts.changed) },
          { id: "error", label: "Ошибки", ...tab(made?.counts.errors, true) },
          { id: "warning", label: "Предупреждения", ...tab(made?.counts.warnings) },
        ]}
      />
      <DataTable
        caption="Строки файла, которые отличаются от магазина"
        columns={made?.source === "accounting" ? columns.filter(({ key }) => key !== "line") : columns}
        rows={data?.items}
        keyOf={({ line }) => String(line)}
        nameOf={({ title, line }) => `${line}: ${title}`}
        isTrouble={({ outcome }) => outcome === "error"}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Таких строк нет."
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
        isTight
      />
    </>
  );
}

const tab = (count: number | undefined, isTrouble = false) =>
  count ? { count: { text: String(count), ...(isTrouble ? { isTrouble: true } : {}) } } : {};

function Summary({ made }: { made: ImportItem }) {
  const { counts, notes, state, approvalReason, source } = made;
  const isFrom1c = source === "accounting";
  const isEmpty = counts.errors + counts.new + counts.changed === 0;
  return (
    <>
      <p role="status">
        {isFrom1c ? "Значений из 1С" : "В файле строк"}: {counts.rows}. {capital(countsText(made))}.
      </p>
      {notes.map((note) => (
        <p className="soft" key={note}>
          {note}
        </p>
      ))}
      {state === "checked" && counts.errors > 0 ? (
        <Notice tone="warn">
          <p>Пока в файле есть ошибки, его нельзя применить: меняется либо всё, либо ничего. Исправьте строки и загрузите файл ещё раз.</p>
        </Notice>
      ) : null}
      {state === "checked" && isEmpty && !isFrom1c ? <p>В файле то же, что в магазине: менять нечего.</p> : null}
      {state === "checked" && isFrom1c && counts.warnings > 0 ? (
        <Notice>
          <p>Строки с пометкой «Пропущено» не применяются и другим не мешают. Их значения остаются и войдут в следующую проверку.</p>
        </Notice>
      ) : null}
      {state === "discarded" && isFrom1c ? (
        <p>Неприменённые значения из 1С не пропали: «Проверить заново» сравнит их с магазином сегодня.</p>
      ) : null}
      <WaitingApprovals area="import" record={made.id} />
      {approvalReason ? (
        <Notice>
          <p>Понадобится второй человек. {approvalReason}.</p>
        </Notice>
      ) : null}
      {made.result ? <p className="soft">{resultText(made)}</p> : null}
    </>
  );
}

const outcomeTexts = {
  published: "на витрине",
  already: "уже была на витрине",
  not_ready: "не показана",
  missing: "монеты больше нет",
} as const;

/** The new coins of an applied file go on sale by one press; each that cannot says what it lacks. */
function NewCoins({ id, count }: { id: number; count: number }) {
  const { may } = useStaff();
  const publish = useSend(contract.publishImported);
  const [results, setResults] = useState<Published[] | null>(null);
  if (!may("coins")) return null;
  const run = async () => {
    const answer = await publish.send({ params: { id } });
    if (!answer?.ok) return;
    setResults(answer.value.items);
    showToast(
      `На витрине: ${answer.value.items.filter(({ outcome }) => outcome !== "not_ready" && outcome !== "missing").length} из ${count}`,
    );
  };
  return (
    <Section
      title="Новые монеты"
      aside={
        <button className="button" type="button" disabled={publish.isBusy} onClick={() => void run()}>
          Опубликовать новые
        </button>
      }
    >
      <p className="soft">Заведено монет: {count}. На витрину попадут те, у которых есть снимки обеих сторон и цена.</p>
      {publish.refusal ? (
        <p role="alert">
          <Trouble>{publish.refusal.message}</Trouble>
        </p>
      ) : null}
      {results ? (
        <DataTable<Published>
          caption="Что вышло с каждой новой монетой"
          columns={[
            { key: "id", head: "Артикул", isRight: true, cell: (coin) => <span className="number">{coin.id}</span> },
            {
              key: "title",
              head: "Монета",
              isRowHead: true,
              isCut: true,
              cell: (coin) => <Link to={`/coins/${coin.id}`}>{coin.title}</Link>,
            },
            {
              key: "outcome",
              head: "Что вышло",
              cell: ({ outcome, reasons }) =>
                outcome === "not_ready" ? (
                  <Trouble>{reasons.map((reason) => notReadyTexts[reason]).join("; ")}</Trouble>
                ) : (
                  outcomeTexts[outcome]
                ),
            },
          ]}
          rows={results}
          keyOf={(coin) => String(coin.id)}
          nameOf={({ title }) => title}
          isTrouble={({ outcome }) => outcome === "not_ready"}
          empty="Новых монет нет"
        />
      ) : null}
    </Section>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function resultText({ result, appliedBy, appliedAt }: ImportItem): string {
  const parts = [
    result?.added ? `добавлено ${result.added}` : "",
    result?.changed ? `изменено ${result.changed}` : "",
    result?.documents?.length ? `складские документы ${result.documents.join(", ")}` : "",
    result?.priceChange ? `изменение цен ${result.priceChange}` : "",
  ];
  const applied = `Применил ${actorText(appliedBy ?? "")}${appliedAt ? ` ${when(appliedAt)}` : ""}`;
  return `${applied}: ${parts.filter(Boolean).join(", ") || "без изменений"}.`;
}

function Acts({ made, onDone }: { made: ImportItem; onDone: () => Promise<void> }) {
  const calls = {
    coins: useSend(contract.applyCoinImport),
    prices: useSend(contract.applyPriceImport),
    stock: useSend(contract.applyStockImport),
    stocktake: useSend(contract.applyStocktakeImport),
  };
  const discarding = useSend(contract.discardImport);
  const recheck = useRecheck();
  const navigate = useNavigate();
  const { applyBy } = made;
  const apply = applyBy ? calls[applyBy] : null;
  const input = { params: { id: made.id }, body: { hash: made.hash } };
  const run = async () => {
    const answer = await apply?.send(input);
    if (answer?.ok) showToast("Применено");
    await onDone();
  };
  const discard = async () => {
    const answer = await discarding.send({ params: { id: made.id } });
    if (answer?.ok) showToast("Отложено: ничего не изменилось");
    await onDone();
  };
  const checkAgain = async () => {
    const imports = await recheck.run();
    if (!imports) return;
    apply?.forget();
    const newer = imports.find(({ kind }) => kind === made.kind);
    showToast(newer ? "Проверено заново" : "Отличий больше нет");
    if (newer && newer.id !== made.id) await navigate(`/exchange/imports/${newer.id}`);
    else await onDone();
  };
  const refusal = apply?.refusal ?? discarding.refusal ?? recheck.refusal;
  const isFrom1c = made.source === "accounting";
  const message = isFrom1c && refusal?.code === "exchange.stale" ? staleFrom1c : refusal?.message;
  const stale = refusal?.code === "exchange.stale" ? refusal.data : undefined;
  const why = refusal?.code === "exchange.refused" ? refusal.data.why : undefined;
  return (
    <>
      {refusal ? (
        <div role="alert">
          <Trouble>{why ?? message}</Trouble>
          {stale && stale.rows.length > 0 ? (
            <ul>
              {stale.rows.slice(0, 10).map(({ line, title, what }) => (
                <li key={line}>
                  {isFrom1c ? "Артикул" : "Строка"} {line}, {title}: {what}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
      {isFrom1c && made.state !== "applied" ? (
        <button className="button" type="button" disabled={recheck.isBusy} onClick={() => void checkAgain()}>
          Проверить заново
        </button>
      ) : null}
      {made.state === "checked" ? (
        <button className="button" type="button" disabled={discarding.isBusy} onClick={() => void discard()}>
          Отложить
        </button>
      ) : null}
      {apply ? (
        <button className="button button--gold" type="button" disabled={apply.isBusy} onClick={() => void run()}>
          Применить {made.counts.new + made.counts.changed}
        </button>
      ) : null}
    </>
  );
}

const staleFrom1c = "Данные тем временем изменились, ничего не применено. Нажмите «Проверить заново»";

function Changes({ row, heads }: { row: RowView; heads: Readonly<Record<string, string>> }) {
  return (
    <>
      {row.changes.map(({ column, before, after }) => (
        <span className="import-change" key={column}>
          <span className="soft">{heads[column] ?? column}: </span>
          {row.outcome === "new" ? null : <span className="muted number">{short(before)} → </span>}
          <span className="strong number">{short(after)}</span>{" "}
        </span>
      ))}
      {row.messages.map(({ column, message, isError }) => (
        <span className="import-change" key={`${column} ${message}`}>
          {isError ? <Trouble>{said(heads, column, message)}</Trouble> : <span className="muted">{said(heads, column, message)}</span>}{" "}
        </span>
      ))}
    </>
  );
}

const said = (heads: Readonly<Record<string, string>>, column: string | null, message: string): string =>
  column ? `${heads[column] ?? column}: ${message}` : message;
const short = (text: string): string => (text === "" ? "пусто" : text.length > 60 ? `${text.slice(0, 60)}…` : text);
