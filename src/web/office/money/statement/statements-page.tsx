import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { when } from "../../staff/words.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Good, Trouble } from "../../ui/marks.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { usePages } from "../../ui/send/use-pages.ts";
import { useRead } from "../../ui/send/use-read.ts";
import { periodText, sum, type StatementView } from "../words.ts";

const pathOf = ({ id }: StatementView): string => `/statement/${id}`;

/** Every imported statement, and how many of its rows wait for a decision. */
export function Component() {
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readStatements, { query: cursor === undefined ? {} : { cursor } });
  return (
    <>
      <PageHead
        title="Все выписки"
        actions={
          <Link className="button" to="/statement">
            Последняя выписка
          </Link>
        }
      />
      <DataTable<StatementView>
        caption="Выписки, новые сверху"
        columns={[
          {
            key: "period",
            head: "Выписка",
            isRowHead: true,
            cell: (row) => (
              <Link className="number" to={pathOf(row)}>
                {periodText(row)}
              </Link>
            ),
          },
          {
            key: "left",
            head: "Ждут",
            cell: ({ counts }) => (counts.left ? <Trouble>{counts.left}</Trouble> : <Good>всё разнесено</Good>),
          },
          { key: "entries", head: "Строк", isRight: true, cell: ({ entries }) => <span className="number">{entries}</span> },
          {
            key: "received",
            head: "Пришло, ₽",
            isRight: true,
            cell: ({ received }) => <span className="number">{received === null ? "" : sum(received)}</span>,
          },
          { key: "file", head: "Файл", isCut: true, cell: ({ fileName }) => <span className="soft">{fileName}</span> },
          {
            key: "by",
            head: "Загружена",
            isWideOnly: true,
            cell: ({ importedBy, importedAt }) => (
              <span className="soft">
                {importedBy} {when(importedAt)}
              </span>
            ),
          },
        ]}
        rows={data?.items}
        keyOf={({ id }) => `${id}`}
        nameOf={(row) => `выписка ${periodText(row)}`}
        pathOf={pathOf}
        isTrouble={({ counts }) => (counts.left ?? 0) > 0}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Выписок ещё нет"
        paging={{ newer, older: older(data?.next) }}
      />
    </>
  );
}
