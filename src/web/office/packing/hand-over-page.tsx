import { useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { coinForms, counted } from "#kit/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Good, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { sendParts } from "../ui/send/send-parts.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/packing.css";
import { openDocument } from "./words.ts";

/** The most orders of one call, and of the list. */
const maxPerRequest = 100;
const maxListed = 200;
const factText = (count: number): string =>
  count < maxListed ? `Собрано и не передано: ${count}` : `Показаны ${maxListed} старших: передайте их, и откроются остальные`;

const kinds = [
  { type: "carrier", title: "СДЭК", act: "Передано" },
  { type: "special", title: "Спецсвязь", act: "Передано" },
  { type: "office", title: "Выдача в офисе", act: "Готовы к выдаче" },
] as const;

/** The sheet of the ticked orders; of all that wait when none is ticked. */
const sheetPath = (type: string, chosen: readonly { number: number }[]): string => {
  const numbers = chosen.map(({ number }) => number).join(",");
  return `/api/staff/packing/hand-over/list?type=${type}${numbers ? `&numbers=${numbers}` : ""}`;
};

/** Packed orders by carrier: the list of the ticked ones that the courier signs, and «Передано» with a result for each. */
export function Component() {
  const { data, refusal, reload } = useRead(contract.readHandOver);
  const { send, isBusy, refusal: refused } = useSend(contract.handOver);
  const [results, setResults] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const hand = async (orders: string[]) => {
    const { rows } = await sendParts(orders, maxPerRequest, (part) => send({ body: { orders: part } }));
    if (rows.length === 0) return;
    setResults(new Map(rows.map(({ id, isDone, reason }) => [id, isDone ? null : reason])));
    await reload();
  };
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(leftOut);
    if (isChosen) next.delete(id);
    else next.add(id);
    setLeftOut(next);
  };
  const done = [...results.values()].filter((reason) => reason === null).length;
  return (
    <>
      <PageHead title="Опись курьеру" facts={data ? factText(data.length) : undefined} />
      {(refusal ?? refused) ? <Notice tone="warn">{(refusal ?? refused)?.message}</Notice> : null}
      <p role="status">{done > 0 ? <Good>Передано: {done}</Good> : null}</p>
      {data?.length === 0 ? <p>Передавать нечего</p> : null}
      {kinds.map(({ type, title, act }) => {
        const orders = (data ?? []).filter(({ deliveryType }) => deliveryType === type);
        const chosen = orders.filter(({ id, isRefused }) => !isRefused && !leftOut.has(id));
        if (orders.length === 0) return null;
        return (
          <Section key={type} title={title}>
            <div className="table-scroll" role="region" aria-label={`Заказы: ${title}`} tabIndex={0}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">
                      <span className="visually-hidden">Передать</span>
                    </th>
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
                        <td>
                          <input
                            className="check"
                            type="checkbox"
                            data-passing
                            aria-label={`Передать заказ ${order.number}`}
                            disabled={order.isRefused}
                            checked={!order.isRefused && !leftOut.has(order.id)}
                            onChange={({ target }) => choose(order.id, target.checked)}
                          />
                        </td>
                        <th scope="row">
                          <Link to={`/orders/${order.id}`}>{order.number}</Link>
                        </th>
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
            </div>
            <div className="packing__acts">
              <button className="button button--medium" type="button" onClick={() => openDocument(sheetPath(type, chosen))}>
                <Icon name="print" /> {chosen.length > 0 ? `Опись, ${chosen.length}` : `Опись всех, ${orders.length}`}
              </button>
              <button
                className="button button--gold button--medium"
                type="button"
                disabled={isBusy || chosen.length === 0}
                onClick={() => void hand(chosen.map(({ id }) => id))}
              >
                {act}, {chosen.length}
              </button>
            </div>
          </Section>
        );
      })}
    </>
  );
}
