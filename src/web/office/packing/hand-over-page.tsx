import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { coinForms, counted } from "#kit/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Good, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { useRead } from "../ui/use-read.ts";
import { useSend } from "../ui/use-send.ts";
import "../styles/packing.css";
import { openDocument } from "./words.ts";

const kinds = [
  { type: "carrier", title: "СДЭК", act: "Передано" },
  { type: "special", title: "Спецсвязь", act: "Передано" },
  { type: "office", title: "Выдача в офисе", act: "Готовы к выдаче" },
] as const;

/** Packed orders by carrier: the list that the courier signs, and «Передано» with a result for each. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readHandOver);
  const { send, isBusy, refusal: refused } = useSend(contract.handOver);
  const [results, setResults] = useState<ReadonlyMap<string, string | null>>(new Map());
  const hand = async (orders: string[]) => {
    const answer = await send({ body: { orders } });
    if (!answer?.ok) return;
    setResults(new Map(answer.value.map(({ id, isDone, reason }) => [id, isDone ? null : reason])));
    await reload();
  };
  const done = [...results.values()].filter((reason) => reason === null).length;
  return (
    <>
      <PageHead title="Опись курьеру" facts={data ? `Собрано и не передано: ${data.length}` : undefined} />
      {(refusal ?? refused) ? <Notice tone="warn">{(refusal ?? refused)?.message}</Notice> : null}
      <p role="status">{done > 0 ? <Good>Передано: {done}</Good> : null}</p>
      {data?.length === 0 ? <p>Передавать нечего</p> : null}
      {kinds.map(({ type, title, act }) => {
        const orders = (data ?? []).filter(({ deliveryType }) => deliveryType === type);
        const ready = orders.filter(({ isRefused }) => !isRefused);
        if (orders.length === 0) return null;
        return (
          <Section key={type} title={title}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Заказ</th>
                  <th scope="col">Трек-номер</th>
                  <th scope="col">Пломба</th>
                  <th scope="col">Куда</th>
                  <th scope="col">Монет</th>
                </tr>
              </thead>
              <tbody>
                {orders.map((order) => {
                  const reason = results.get(order.id);
                  return (
                    <tr key={order.id}>
                      <th scope="row">{order.number}</th>
                      <td>{order.tracking ?? (type === "carrier" ? "регистрируем" : "—")}</td>
                      <td>{order.seal ?? (order.needsSeal ? <Trouble>нет номера</Trouble> : "—")}</td>
                      <td>
                        {order.destination} {order.isRefused ? <Trouble>СДЭК отклонил посылку</Trouble> : null}
                        {reason ? <Trouble>{reason}</Trouble> : null}
                      </td>
                      <td>{counted(order.pieces, coinForms)}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
            <div className="packing__acts">
              <button className="button mid" type="button" onClick={() => openDocument(`/api/staff/packing/hand-over/list?type=${type}`)}>
                <Icon name="print" /> Опись
              </button>
              <button
                className="button button--gold mid"
                type="button"
                disabled={isBusy || ready.length === 0}
                onClick={() => void hand(ready.map(({ id }) => id))}
              >
                {act}, {ready.length}
              </button>
            </div>
          </Section>
        );
      })}
    </>
  );
}
