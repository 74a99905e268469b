import { useEffect, useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import { number } from "#kit/format.ts";
import type { AnswerOf } from "../client.ts";
import { sum } from "../money/words.ts";
import { stateLabels } from "../orders/words.ts";
import { useStaff } from "../session.ts";
import { actorText, when } from "../staff/words.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Field } from "../ui/form/field.tsx";
import { Section } from "../ui/page-head.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import "../styles/screens/stock.css";
import { costText, entryTexts, gramsText, signed, type EntryView } from "./words.ts";

export type StockCoin = AnswerOf<StaffEntryOf<typeof contract.readStockCoin>>;

/** The pieces of a coin, the orders that reserve them, its threshold, and its whole ledger. */
export function CoinStock({ data, reload }: { data: StockCoin; reload: () => Promise<void> }) {
  const staff = useStaff();
  const mayReadOrders = staff.may("orders.read") !== null;
  const { uncosted = 0 } = data;
  return (
    <>
      <div className="columns">
        <dl className="rows">
          <div>
            <dt>На складе</dt>
            <dd className="number">{number(data.onHand)}</dd>
          </div>
          <div>
            <dt>В заказах</dt>
            <dd className="number">{number(data.reserved)}</dd>
          </div>
          <div className="total">
            <dt>Свободно</dt>
            <dd className="number">{number(data.available)}</dd>
          </div>
        </dl>
        <dl className="rows">
          <div>
            <dt>Чистого металла</dt>
            <dd className="number">
              {gramsText(data.pureMassMg)} г{data.metalValue === null ? "" : `, ${sum(data.metalValue)} ₽`}
            </dd>
          </div>
          {data.cost === undefined ? null : (
            <>
              <div>
                <dt>Себестоимость</dt>
                <dd className="number">{uncosted === data.onHand ? "нет данных" : `${costText(data.cost)} ₽`}</dd>
              </div>
              <div>
                <dt>Одной монеты</dt>
                <dd className="number">
                  {data.averageCost === null ? "нет данных" : `${costText(data.averageCost)} ₽`}
                  {uncosted > 0 && uncosted < data.onHand ? <span className="muted"> без данных {number(uncosted)} шт.</span> : null}
                </dd>
              </div>
            </>
          )}
        </dl>
      </div>
      {staff.may("stock.post") ? (
        <Threshold key={data.lowAt} id={data.id} lowAt={data.lowAt} usual={data.defaultLowAt} onSaved={reload} />
      ) : null}
      <Section title="В каких заказах">
        {data.orders.length === 0 ? <p className="soft">Заказы эту монету не держат</p> : null}
        {data.orders.length > 0 ? (
          <div className="table-scroll" role="region" aria-label="Заказы, которые держат монету" tabIndex={0}>
            <table className="table table--tight">
              <caption className="visually-hidden">Заказы, которые держат монету</caption>
              <thead>
                <tr>
                  <th scope="col">Заказ</th>
                  <th scope="col">Состояние</th>
                  <th scope="col">Оформлен</th>
                  <th scope="col">Держит до</th>
                  <th scope="col" className="align-right">
                    Штук
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.orders.map((order) => (
                  <tr key={order.id}>
                    <th scope="row">
                      {mayReadOrders ? (
                        <Link className="number" to={`/orders/${order.id}`}>
                          {order.number}
                        </Link>
                      ) : (
                        <span className="number">{order.number}</span>
                      )}
                    </th>
                    <td>{stateLabels[order.state]}</td>
                    <td className="number soft nowrap">{when(order.createdAt)}</td>
                    <td className="number soft nowrap">{order.reservedUntil ? when(order.reservedUntil) : "отгрузки"}</td>
                    <td className="number align-right">{order.pieces}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
      </Section>
      <Section title="Движение">
        <Ledger id={String(data.id)} />
      </Section>
    </>
  );
}

function Threshold({ id, lowAt, usual, onSaved }: { id: number; lowAt: number | null; usual: number; onSaved: () => Promise<void> }) {
  const [typed, setTyped] = useState(lowAt === null ? "" : String(lowAt));
  const [stale, setStale] = useState<{ current: number | null } | null>(null);
  const { send, isBusy, refusal, fields } = useSend(contract.setStockThreshold);
  const isWrong = typed.trim() !== "" && !/^\d{1,6}$/.test(typed.trim());
  const wanted = typed.trim() === "" ? null : Number(typed);
  const textOf = (pieces: number | null) => (pieces === null ? `как у всех, ${usual}` : number(pieces));
  const save = async (before = lowAt) => {
    const answer = await send({ params: { id }, body: { lowAt: wanted, before } });
    if (answer?.ok) {
      showToast("Порог сохранён");
      await onSaved();
    } else if (answer?.error?.code === "staff.stale") setStale(answer.error.data);
  };
  return (
    <form
      className="stock-threshold"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) void save();
      }}
    >
      <Field
        label="Мало, когда свободно столько или меньше"
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        hint={`Пусто: как у всех, ${usual}`}
        error={isWrong ? "Целое число" : (fields["lowAt"] ?? (refusal?.code === "staff.stale" ? null : refusal?.message) ?? null)}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button className="button" type="submit" disabled={isBusy}>
        Сохранить порог
      </button>
      <StaleDialog
        fields={stale && [{ label: "Порог остатка", yours: textOf(wanted), current: textOf(stale.current) }]}
        onKeepYours={() => {
          const current = stale?.current ?? null;
          setStale(null);
          void save(current);
        }}
        onTakeCurrent={() => {
          setStale(null);
          void onSaved();
        }}
        onClose={() => setStale(null)}
      />
    </form>
  );
}

function Ledger({ id }: { id: string }) {
  const mayReadOrders = useStaff().may("orders.read") !== null;
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readStockEntries, {
    params: { id },
    query: cursor === undefined ? {} : { cursor },
  });
  const [showsCost, setShowsCost] = useState(false);
  useEffect(() => {
    if (data) setShowsCost(data.items.some(({ cost }) => cost !== undefined));
  }, [data]);
  return (
    <DataTable<EntryView>
      caption="Движение монеты, новое сверху"
      isTight
      columns={[
        { key: "at", head: "Когда", cell: ({ at }) => <span className="number soft">{when(at)}</span> },
        {
          key: "kind",
          head: "Что",
          isRowHead: true,
          cell: ({ kind, orderId, documentId }) =>
            orderId !== null && mayReadOrders ? (
              <Link to={`/orders/${orderId}`}>{entryTexts[kind]}</Link>
            ) : documentId !== null ? (
              <Link to={`/stock/documents/${documentId}`}>
                {entryTexts[kind]}, документ {documentId}
              </Link>
            ) : (
              entryTexts[kind]
            ),
        },
        { key: "by", head: "Кто", isCut: true, cell: ({ by }) => <span className="muted">{actorText(by)}</span> },
        {
          key: "quantity",
          head: "Штук",
          isRight: true,
          cell: ({ quantity }) => <span className="number strong">{quantity === 0 ? "" : signed(quantity)}</span>,
        },
        ...(showsCost
          ? [
              {
                key: "cost",
                head: "Себестоимость, ₽",
                isRight: true,
                cell: ({ cost }: EntryView) => <span className="number soft">{costText(cost)}</span>,
              },
            ]
          : []),
        { key: "balance", head: "Стало", isRight: true, cell: ({ balance }) => <span className="number">{number(balance)}</span> },
      ]}
      rows={data?.items}
      keyOf={(entry) => String(entry.id)}
      nameOf={({ kind, at }) => `${entryTexts[kind]} ${when(at)}`}
      error={refusal?.message ?? null}
      onRetry={() => void reload()}
      empty="Движения ещё не было"
      paging={{ newer, older: older(data?.next) }}
    />
  );
}
