import { useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../../client.ts";
import { showToast } from "../../ui/toasts.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { entryTexts, sum, type EntryView } from "../words.ts";

/** What is settled, folded until it is opened, page by page. Marks can be taken back. */
export function SettledRows({
  statementId,
  count,
  mayReopen,
  onChange,
}: {
  statementId: number;
  count: number;
  mayReopen: boolean;
  onChange: () => Promise<void>;
}) {
  const [rows, setRows] = useState<readonly EntryView[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const reopen = useSend(contract.reopenEntry);
  const load = async (cursor: string | null) => {
    const answer = await callStaff(contract.readSettledEntries, { params: { id: statementId }, query: cursor === null ? {} : { cursor } });
    if (!answer.ok) return showToast(answer.error?.message ?? "", { isTrouble: true });
    setRows((before) => [...(cursor === null ? [] : (before ?? [])), ...answer.value.items]);
    setNext(answer.value.next);
  };
  const takeBack = async (id: number) => {
    const answer = await reopen.send({ params: { id } });
    if (answer?.ok) await onChange();
    else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
  };
  return (
    <section aria-label="Разнесённые строки">
      <p>
        Разнесены <span className="muted number">{count}</span>{" "}
        <button
          className="text-button"
          type="button"
          aria-expanded={rows !== null}
          onClick={() => (rows ? setRows(null) : void load(null))}
        >
          {rows ? "свернуть" : "показать"}
        </button>
      </p>
      {rows ? (
        <div className="table-scroll" role="region" aria-label="Разнесённые строки" tabIndex={0}>
          <table className="table table--tight">
            <caption className="visually-hidden">Разнесённые строки</caption>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td className="number soft nowrap">{row.number}</td>
                  <th scope="row" className="nowrap">
                    {row.payer || "Без имени"}
                  </th>
                  <td className="truncated soft">{row.note || row.purpose}</td>
                  <td className="align-right number nowrap">
                    {row.isOutgoing ? "−" : ""}
                    {sum(row.amount)}
                  </td>
                  <td className="nowrap">
                    {row.order ? <Link to={`/orders/${row.order.id}`}>{row.order.number}</Link> : null}{" "}
                    <span className="muted">{[entryTexts[row.state], row.settledBy].filter(Boolean).join(", ")}</span>{" "}
                    {mayReopen && (row.state === "not_ours" || row.state === "to_return") ? (
                      <button className="text-button" type="button" disabled={reopen.isBusy} onClick={() => void takeBack(row.id)}>
                        вернуть в работу
                      </button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {rows && next ? (
        <button className="button button--small" type="button" onClick={() => void load(next)}>
          Показать ещё
        </button>
      ) : null}
    </section>
  );
}
