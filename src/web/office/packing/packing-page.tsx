import { useState } from "react";
import { Link, useNavigate } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { coinForms, counted } from "#kit/format.ts";
import { Good, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/packing.css";
import { when } from "../staff/words.ts";
import { reasonNames } from "./words.ts";

const waitingForms = ["заказ ждёт", "заказа ждут", "заказов ждут"] as const;

/** The most orders of a batch. The screen names the rest before the batch is started. */
function beginText(picked: number, board: { waiting: readonly unknown[]; batchSize: number } | undefined): string {
  const size = board?.batchSize ?? 0;
  if (picked > 0) return picked > size ? `Собирать ${size} из выбранных` : `Собирать выбранные, ${picked}`;
  return board && board.waiting.length > size ? `Собирать ${size} старших` : "Собирать всё";
}

/** Orders that wait to be packed, open batches, and the way to the hand-over. */
export function Component() {
  const { data, refusal } = useRead(contract.readPacking);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const open = useSend(contract.openBatch);
  const navigate = useNavigate();
  const begin = async () => {
    const opened = await open.send({ body: picked.length > 0 ? { orders: [...picked] } : {} });
    if (opened?.ok) await navigate(`/packing/batches/${opened.value.id}`);
  };
  return (
    <>
      <PageHead
        title="Упаковка"
        facts={data ? `${counted(data.waiting.length, waitingForms)} сборки` : undefined}
        actions={
          <>
            <Link className="button button--medium" to="/packing/hand-over">
              Опись курьеру{data && data.toHandOver > 0 ? `, ${data.toHandOver}` : ""}
            </Link>
            <button
              className="button button--gold button--medium"
              type="button"
              disabled={!data?.waiting.length || open.isBusy}
              onClick={() => void begin()}
            >
              {beginText(picked.length, data)}
            </button>
          </>
        }
      />
      {(refusal ?? open.refusal) ? <Notice tone="warn">{(refusal ?? open.refusal)?.message}</Notice> : null}
      {data && data.batches.length > 0 ? (
        <Section title="Открытые партии">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Партия</th>
                <th scope="col">Собрано</th>
                <th scope="col">Начата</th>
              </tr>
            </thead>
            <tbody>
              {data.batches.map((batch) => (
                <tr key={batch.id}>
                  <th scope="row">
                    <Link to={`/packing/batches/${batch.id}`}>Партия {batch.id}</Link>
                  </th>
                  <td>
                    {batch.ended} из {batch.orders}
                  </td>
                  <td className="soft nowrap">{when(batch.createdAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      ) : null}
      <Section title="Ждут сборки">
        {data?.waiting.length === 0 ? (
          <p>
            <Good>Собирать нечего: всё в партиях или собрано</Good>
          </p>
        ) : null}
        {data && data.waiting.length > 0 ? (
          <table className="table">
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">В партию</span>
                </th>
                <th scope="col">Заказ</th>
                <th scope="col">Куда</th>
                <th scope="col">Монет</th>
                <th scope="col">Оформлен</th>
              </tr>
            </thead>
            <tbody>
              {data.waiting.map((order) => (
                <tr key={order.id}>
                  <td>
                    <input
                      className="check"
                      type="checkbox"
                      data-passing
                      aria-label={`Заказ ${order.number} в партию`}
                      checked={picked.includes(order.id)}
                      onChange={({ target }) => setPicked(target.checked ? [...picked, order.id] : picked.filter((id) => id !== order.id))}
                    />
                  </td>
                  <th scope="row">{order.number}</th>
                  <td>
                    {order.destination} {order.postponed ? <Trouble>{reasonNames[order.postponed]}</Trouble> : null}
                  </td>
                  <td>{counted(order.pieces, coinForms)}</td>
                  <td className="soft nowrap">{when(order.createdAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : null}
      </Section>
    </>
  );
}
