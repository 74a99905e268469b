import { Link } from "react-router";
import { setOrDelete, useAddressParams } from "../ui/table/address-params.ts";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readTexts } from "#contract/staff/site/content.ts";
import { day } from "#kit/format.ts";
import type { EditableState } from "#shop/content/editing/editable.ts";
import { orderedKinds } from "#shop/content/ordered-kinds.ts";
import type { TextKind } from "#shop/content/text-data.ts";
import { when } from "../staff/words.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { isTextKind, kindWords, stateWords } from "./words.ts";

type Text = z.output<(typeof readTexts)["answer"]>["items"][number];
const states = Object.keys(stateWords) as EditableState[];

/** All texts of a kind with their state. */
export function Component() {
  const [params, changeParams] = useAddressParams();
  const view = params.get("view") ?? "news";
  const kind: TextKind = isTextKind(view) ? view : "news";
  const state = states.find((each) => each === params.get("state"));
  const words = params.get("words") ?? "";
  const from = Number(params.get("from")) || 0;
  const query = { kind, words, from: String(from), ...(state ? { state } : {}) };
  const { data, refusal, reload } = useRead(contract.readTexts, { query });
  const { send } = useSend(contract.orderTexts);
  const { list, make } = kindWords[kind];
  const isOrdered = (orderedKinds as readonly TextKind[]).includes(kind) && !state && words === "" && data?.next === null;

  const move = async (index: number, by: number) => {
    const ids = data?.items.map(({ id }) => id) ?? [];
    const [moved = 0] = ids.splice(index, 1);
    ids.splice(index + by, 0, moved);
    const answer = await send({ params: { kind: kind as (typeof orderedKinds)[number] }, body: { ids } });
    if (answer && !answer.ok) showToast(answer.error?.message ?? "", { isTrouble: true });
    await reload();
  };
  const columns: Column<Text>[] = [
    {
      key: "title",
      head: "Заголовок",
      isRowHead: true,
      isCut: true,
      cell: ({ id, title }) => <Link to={`/content/${kind}/${id}`}>{title}</Link>,
    },
    { key: "state", head: "Состояние", cell: (each) => <State text={each} /> },
    ...(kind === "faq" ? [{ key: "group", head: "Раздел", cell: ({ group }: Text) => group ?? "" }] : []),
    { key: "address", head: "Адрес", isWideOnly: true, isBounded: true, cell: ({ address }) => <span className="soft">{address}</span> },
    { key: "day", head: "День", isWideOnly: true, cell: (each) => (each.day ? <span className="nowrap">{day(each.day)}</span> : "") },
    { key: "changed", head: "Изменён", isWideOnly: true, cell: ({ updatedAt }) => <span className="nowrap">{when(updatedAt)}</span> },
    ...(isOrdered
      ? [{ key: "order", head: "Порядок", isHeadHidden: true, cell: (each: Text) => <Order text={each} all={data.items} onMove={move} /> }]
      : []),
  ];
  const at = (place: number) => () => changeParams((next) => setOrDelete(next, "from", place > 0 ? String(place) : ""));
  return (
    <>
      <PageHead
        title="Материалы"
        facts={data ? `${list}: ${data.total}` : null}
        actions={
          make ? (
            <Link className="button button--gold" to={`/content/${kind}/new`}>
              {make}
            </Link>
          ) : null
        }
      />
      <ViewTabs label="Виды материалов" views={Object.entries(kindWords).map(([id, each]) => ({ id, label: each.list }))} />
      <DataTable
        caption={list}
        columns={columns}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={({ title }) => title}
        pathOf={({ id }) => `/content/${kind}/${id}`}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Таких материалов нет"
        bar={
          <Filters
            label="Отбор материалов"
            find={{ name: "words", label: "Слова заголовка" }}
            selects={[
              { name: "state", label: "Состояние", options: [["", "любое"], ...states.map((each) => [each, stateWords[each]] as const)] },
            ]}
          />
        }
        paging={{ newer: from > 0 ? at(Math.max(0, from - 50)) : null, older: data?.next ? at(data.next) : null }}
      />
    </>
  );
}

function State({ text: { state, publishAt, unpublishAt, isDemo } }: { text: Text }) {
  return (
    <span className="nowrap">
      {stateWords[state]}
      {publishAt ? ` ${when(publishAt)}` : ""}
      {unpublishAt ? `, до ${when(unpublishAt)}` : ""}
      {isDemo ? <span className="soft"> · образец</span> : null}
    </span>
  );
}

function Order({ text, all, onMove }: { text: Text; all: readonly Text[]; onMove: (index: number, by: number) => Promise<void> }) {
  const index = all.findIndex(({ id }) => id === text.id);
  return (
    <span className="nowrap">
      {(
        [
          ["Выше", "↑", -1, index === 0],
          ["Ниже", "↓", 1, index === all.length - 1],
        ] as const
      ).map(([word, sign, by, isEnd]) => (
        <button
          key={word}
          className="button button--quiet button--small"
          type="button"
          aria-label={`${word}: ${text.title}`}
          disabled={isEnd}
          onClick={() => void onMove(index, by)}
        >
          {sign}
        </button>
      ))}
    </span>
  );
}
