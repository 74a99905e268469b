import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import { day } from "#kit/format.ts";
import { factFields, type CoinFacts, type FactField } from "#shop/catalog/coin-rules.ts";
import { fieldNames } from "#shop/catalog/coin-texts.ru.ts";
import { callStaff, type AnswerOf } from "../../client.ts";
import { actorText, when } from "../../staff/words.ts";
import { CoinStock } from "../../stock/coin-stock.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Refusal } from "../../ui/marks.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { usePages } from "../../ui/send/use-pages.ts";
import { useRead } from "../../ui/send/use-read.ts";
import { draftOf } from "./coin-draft.ts";
import { kindLabels, metalLabels, shapeLabels, vatLabels } from "../words.ts";

/** What is shown beside the editor of a coin: its stock, its reviews and its earlier versions. */

export function StockOfCoin({ id }: { id: number }) {
  const { data, refusal, reload } = useRead(contract.readStockCoin, { params: { id: String(id) } });
  const unread = refusal ? <Refusal text={refusal.message} /> : null;
  if (!data) return unread ?? <p role="status">Загружаем…</p>;
  return (
    <>
      {unread}
      <CoinStock data={data} reload={reload} />
    </>
  );
}

const reviewStates = { pending: "ждёт решения", approved: "опубликован", rejected: "отклонён" } as const;

export function ReviewsOfCoin({ id }: { id: number }) {
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readCoinReviews, {
    params: { id: String(id) },
    query: cursor === undefined ? {} : { cursor },
  });
  return (
    <>
      <DataTable
        caption="Отзывы о монете, новые сверху"
        columns={[
          { key: "day", head: "Дата", cell: ({ writtenOn }) => <span className="number soft nowrap">{day(writtenOn)}</span> },
          { key: "name", head: "Автор", isRowHead: true, cell: ({ name }) => name },
          { key: "rating", head: "Оценка", isRight: true, cell: ({ rating }) => <span className="number">{rating}</span> },
          {
            key: "body",
            head: "Отзыв",
            cell: ({ body, answer }) => (
              <>
                {body}
                {answer ? <span className="muted"> Ответ магазина: {answer}</span> : null}
              </>
            ),
          },
          { key: "state", head: "Состояние", cell: ({ state }) => <span className="soft nowrap">{reviewStates[state]}</span> },
        ]}
        rows={data?.items}
        keyOf={(review) => String(review.id)}
        nameOf={({ name }) => name}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Об этой монете ещё не писали"
        paging={{ newer, older: older(data?.next) }}
      />
      <p className="soft">
        Решают и отвечают на экране <Link to="/reviews">«Отзывы»</Link>.
      </p>
    </>
  );
}

type Version = AnswerOf<StaffEntryOf<typeof contract.readCoinVersions>>["items"][number];

const actionNames: Readonly<Record<string, string>> = {
  "coin.add": "заведена",
  "coin.save": "правка",
  "coin.publish": "витрина",
  "coin.import": "импорт",
};
const isFact = (field: string): field is FactField => (factFields as readonly string[]).includes(field);

const choiceTexts: Readonly<Partial<Record<FactField, Readonly<Record<string, string>>>>> = {
  metal: metalLabels,
  kind: kindLabels,
  shape: shapeLabels,
  vatCode: Object.fromEntries(vatLabels),
};

/** The text of a stored value, as the field of the editor shows it. */
function textOf(field: FactField, values: Version["before"]): string {
  if (!values || !(field in values)) return "";
  const shown = draftOf(values as unknown as CoinFacts)[field];
  const text = typeof shown === "string" ? (choiceTexts[field]?.[shown] ?? shown) : shown.join(", ");
  return text === "" ? "пусто" : text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

function Changes({ version: { before, after } }: { version: Version }) {
  const facts = Object.keys(after ?? {}).filter(isFact);
  return (
    <ul className="coin-changes">
      {facts.map((field) => (
        <li key={field}>
          <span className="soft">{fieldNames[field]}:</span>{" "}
          {before ? (
            <>
              <del>{textOf(field, before)}</del> <ins>{textOf(field, after)}</ins>
            </>
          ) : (
            textOf(field, after)
          )}
        </li>
      ))}
      {after && "pictures" in after ? <li>снимки</li> : null}
      {before && after && "isPublished" in after ? <li>{after["isPublished"] === true ? "показана" : "снята с витрины"}</li> : null}
    </ul>
  );
}

/**
 * Every edit by hand or by an import. What was before one of them goes into the fields of the editor, to be checked and saved as any edit.
 */
export function VersionsOfCoin({ id, onRestore }: { id: number; onRestore: (facts: CoinFacts) => void }) {
  const { data, refusal, reload } = useRead(contract.readCoinVersions, { params: { id: String(id) } });
  const restore = async (entry: number) => {
    const answer = await callStaff(contract.readCoinVersion, { params: { id: String(id), entry: String(entry) } });
    if (answer.ok) onRestore(answer.value.facts as CoinFacts);
    else if (answer.error) showToast(answer.error.message, { isTrouble: true });
  };
  return (
    <DataTable<Version>
      caption="Правки монеты, новые сверху"
      columns={[
        { key: "at", head: "Когда", cell: ({ at }) => <span className="number soft nowrap">{when(at)}</span> },
        { key: "who", head: "Кто", isRowHead: true, cell: ({ actor }) => actorText(actor) },
        { key: "what", head: "Что", cell: ({ action }) => <span className="nowrap">{actionNames[action] ?? action}</span> },
        { key: "changes", head: "Изменилось", cell: (version) => <Changes version={version} /> },
        {
          key: "restore",
          head: "Действия",
          isHeadHidden: true,
          cell: ({ id: entry, at, before }) =>
            before && Object.keys(before).some(isFact) ? (
              <button
                className="button button--small"
                type="button"
                aria-label={`Вернуть поля, как до правки ${when(at)}`}
                onClick={() => void restore(entry)}
              >
                Вернуть как было
              </button>
            ) : null,
        },
      ]}
      rows={data?.items}
      keyOf={(version) => String(version.id)}
      nameOf={({ at }) => when(at)}
      error={refusal?.message ?? null}
      onRetry={() => void reload()}
      empty="Правок ещё не было. Цены и их история — на экране «Цены»"
    />
  );
}
