import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { number } from "#kit/format.ts";
import { documentKinds } from "#shop/stock/documents/document.ts";
import { dayText } from "../money/words.ts";
import { useStaff } from "../session.ts";
import { actorText, when } from "../staff/words.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Check, Field, Select } from "../ui/form/field.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { UnsavedMark } from "../ui/form/unsaved-mark.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { CoinChoice } from "./coin-choice.tsx";
import { costText, kindTexts, stateTexts, stocktakeTexts, type StockCoin, type DocumentItem, type StocktakeItem } from "./words.ts";

/** Documents of the stock, and beside them stocktakes. */
export function Component() {
  const staff = useStaff();
  const [params] = useSearchParams();
  const isCounts = params.get("view") === "stocktakes";
  const [isStarting, setStarting] = useState(false);
  const mayPost = staff.may("stock.post") !== null;
  const mayCorrect = staff.may("stock.correct") !== null;
  return (
    <WithPanel panel={isStarting ? <StartPanel onClose={() => setStarting(false)} /> : null}>
      <PageHead
        title={isCounts ? "Инвентаризации" : "Документы склада"}
        actions={
          mayPost ? (
            isCounts ? (
              <button className="button button--gold" type="button" onClick={() => setStarting(true)}>
                Новая инвентаризация
              </button>
            ) : (
              <>
                {mayCorrect ? (
                  <>
                    <Link className="button" to="/stock/documents/new?kind=correction">
                      Исправление
                    </Link>
                    <Link className="button" to="/stock/documents/new?kind=write_off">
                      Списание
                    </Link>
                  </>
                ) : null}
                <Link className="button button--gold" to="/stock/documents/new?kind=receipt">
                  Приход
                </Link>
              </>
            )
          ) : null
        }
      />
      <ViewTabs
        label="Склад"
        views={[
          { id: "documents", label: "Документы" },
          { id: "stocktakes", label: "Инвентаризации" },
        ]}
      />
      {isCounts ? <Stocktakes /> : <Documents />}
    </WithPanel>
  );
}

function Documents() {
  const [params] = useSearchParams();
  const { cursor, newer, older } = usePages();
  const query: Record<string, string> = cursor === undefined ? {} : { cursor };
  for (const name of ["kind", "state"]) {
    const value = params.get(name);
    if (value) query[name] = value;
  }
  const { data, refusal, reload } = useRead(contract.readDocuments, { query });
  const showsCost = data?.items.some(({ cost }) => cost !== undefined) ?? false;
  return (
    <DataTable<DocumentItem>
      caption="Документы, новые сверху"
      bar={
        <Filters
          label="Отбор документов"
          selects={[
            { name: "kind", label: "Вид", options: [["", "любой"], ...documentKinds.map((kind) => [kind, kindTexts[kind]] as const)] },
            { name: "state", label: "Состояние", options: [["", "любое"], ...Object.entries(stateTexts)] },
          ]}
        />
      }
      columns={[
        {
          key: "kind",
          head: "Документ",
          isRowHead: true,
          cell: ({ id, kind }) => (
            <Link to={`/stock/documents/${id}`}>
              {kindTexts[kind]} {id}
            </Link>
          ),
        },
        { key: "state", head: "Состояние", cell: ({ state }) => stateTexts[state] },
        {
          key: "supplier",
          head: "Поставщик или причина",
          isCut: true,
          cell: ({ supplier, number: paper, date, note }) => (
            <>
              {supplier || note}
              <span className="muted">
                {paper ? ` № ${paper}` : ""}
                {date ? ` от ${dayText(date)}` : ""}
              </span>
            </>
          ),
        },
        { key: "pieces", head: "Штук", isRight: true, cell: ({ pieces }) => <span className="number strong">{number(pieces)}</span> },
        ...(showsCost
          ? [
              {
                key: "cost",
                head: "Сумма, ₽",
                isRight: true,
                cell: ({ cost }: DocumentItem) => <span className="number">{cost === null ? "" : costText(cost)}</span>,
              },
            ]
          : []),
        {
          key: "at",
          head: "Когда и кто",
          isWideOnly: true,
          cell: ({ createdAt, postedAt, createdBy, postedBy }) => (
            <span className="soft">
              {when(postedAt ?? createdAt)}, {actorText(postedBy ?? createdBy)}
            </span>
          ),
        },
      ]}
      rows={data?.items}
      keyOf={({ id }) => String(id)}
      nameOf={({ id, kind }) => `${kindTexts[kind]} ${id}`}
      pathOf={({ id }) => `/stock/documents/${id}`}
      error={refusal?.message ?? null}
      onRetry={() => void reload()}
      empty={params.has("kind") || params.has("state") ? "Документов с таким отбором нет" : "Документов ещё нет"}
      paging={{ newer, older: older(data?.next) }}
    />
  );
}

function Stocktakes() {
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readStocktakes, { query: cursor === undefined ? {} : { cursor } });
  return (
    <DataTable<StocktakeItem>
      caption="Инвентаризации, новые сверху"
      columns={[
        {
          key: "title",
          head: "Инвентаризация",
          isRowHead: true,
          isCut: true,
          cell: ({ id, title }) => <Link to={`/stock/stocktakes/${id}`}>{title}</Link>,
        },
        { key: "state", head: "Состояние", cell: ({ state }) => stocktakeTexts[state] },
        {
          key: "counted",
          head: "Посчитано",
          isRight: true,
          cell: ({ countedLines, lineCount }) => (
            <span className="number">
              {countedLines} из {lineCount}
            </span>
          ),
        },
        {
          key: "document",
          head: "Исправление",
          cell: ({ documentId }) => (documentId === null ? "" : <Link to={`/stock/documents/${documentId}`}>документ {documentId}</Link>),
        },
        {
          key: "at",
          head: "Начата",
          cell: ({ createdAt, createdBy }) => (
            <span className="soft">
              {when(createdAt)}, {actorText(createdBy)}
            </span>
          ),
        },
      ]}
      rows={data?.items}
      keyOf={({ id }) => String(id)}
      nameOf={({ title }) => title}
      pathOf={({ id }) => `/stock/stocktakes/${id}`}
      error={refusal?.message ?? null}
      onRetry={() => void reload()}
      empty="Инвентаризаций ещё не было"
      paging={{ newer, older: older(data?.next) }}
    />
  );
}

/** What a stocktake covers: all coins, those of one metal, or single coins. */
const scopes = [
  ["", "золото и серебро"],
  ["gold", "золото"],
  ["silver", "серебро"],
  ["chosen", "выбранные монеты"],
] as const;
type Scope = (typeof scopes)[number][0];

function StartPanel({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const start = useSend(contract.startStocktake);
  const [title, setTitle] = useState("");
  const [scope, setScope] = useState<Scope>("");
  const [isInStockOnly, setInStockOnly] = useState(true);
  const [chosen, setChosen] = useState<readonly StockCoin[]>([]);
  const [isNoneChosen, setNoneChosen] = useState(false);
  const begin = async () => {
    // An empty list would be a count of everything.
    setNoneChosen(scope === "chosen" && chosen.length === 0);
    if (scope === "chosen" && chosen.length === 0) return;
    const answer = await start.send({
      body: {
        title,
        ...(scope === "chosen" ? { coins: chosen.map(({ id }) => id) } : { metal: scope === "" ? null : scope, isInStockOnly }),
      },
    });
    if (answer?.ok) await navigate(`/stock/stocktakes/${answer.value.id}`);
  };
  return (
    <Panel
      title="Новая инвентаризация"
      onClose={onClose}
      onSubmit={() => void begin()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={start.isBusy}>
          Начать <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      <Field
        label="Название"
        value={title}
        maxLength={100}
        error={start.fields["title"] ?? (start.refusal && !start.fields["coins"] ? start.refusal.message : null)}
        onChange={(event) => setTitle(event.target.value)}
      />
      <Select
        label="Что считаем"
        value={scope}
        error={isNoneChosen ? "Выберите хотя бы одну монету" : (start.fields["coins"] ?? null)}
        options={scopes}
        onChange={(event) => {
          setScope(event.target.value as Scope);
          setNoneChosen(false);
        }}
      />
      {scope === "chosen" ? (
        <>
          <UnsavedMark value={chosen.map(({ id }) => id)} stored={[]} />
          {chosen.length > 0 ? (
            <ul className="chosen-coins" aria-label="Выбранные монеты">
              {chosen.map((coin) => (
                <li key={coin.id}>
                  <span className="truncated">{coin.title}</span>
                  <button
                    className="button button--quiet button--small"
                    type="button"
                    aria-label={`Убрать: ${coin.title}`}
                    onClick={() => setChosen((before) => before.filter(({ id }) => id !== coin.id))}
                  >
                    <Icon name="close" size="small" />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <CoinChoice
            label="Добавить монету"
            onChoose={(coin) => {
              setNoneChosen(false);
              setChosen((before) => (before.some(({ id }) => id === coin.id) ? before : [...before, coin]));
            }}
          />
        </>
      ) : (
        <Check checked={isInStockOnly} onChange={(event) => setInStockOnly(event.target.checked)}>
          Только монеты, которые по учёту есть
        </Check>
      )}
      <p className="hint">Пока идёт счёт, ожидаемых чисел не видно никому. Продажи счёту не мешают, запечатанные заказы не вскрывают.</p>
    </Panel>
  );
}
