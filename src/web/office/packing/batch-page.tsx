import { useCallback, useEffect, useRef, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { PackingOrderView, readBatch } from "#contract/staff/orders/packing.ts";
import { coinForms, counted } from "#kit/format.ts";
import type { PostponeReason } from "#shop/packing/packing.ts";
import { callStaff } from "../client.ts";
import { usePoll } from "../shell/activity.ts";
import { useKeys } from "../shell/keys.ts";
import { MissingScreen } from "../shell/states.tsx";
import { Icon } from "../ui/icon.tsx";
import { Good, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { untilAnswered, waitsForConnection, type Answer } from "../ui/send/until-answered.ts";
import "../styles/screens/packing.css";
import { labelFaultText, leftOutText, openDocument, reasonNames, wrongPieceText } from "./words.ts";

type Batch = z.output<(typeof readBatch)["answer"]>;
type Order = PackingOrderView;
type ScanReport = { text: string; isTrouble: boolean };

const pollMs = 5_000;
const left = ({ lines }: Order): number => lines.reduce((sum, { count, checked }) => sum + Math.abs(count - checked), 0);
const isOpen = ({ outcome, isGone }: Order): boolean => outcome === null && !isGone;

/** A batch at the packing table: the pick list, and one order with the scanner's field. */
export function Component() {
  const { id = "" } = useParams();
  return <BatchTable key={id} id={id} />;
}

function BatchTable({ id }: { id: string }) {
  const [search, setSearch] = useSearchParams();
  const [batch, setBatch] = useState<Batch | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [report, setReport] = useState<ScanReport | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef<Batch | null>(null);
  // Scans are sent one after another: a scanner is faster than the network.
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const load = useCallback(async (): Promise<void> => {
    const answer = await callStaff(contract.readBatch, { params: { id } });
    if (answer.ok) {
      latest.current = answer.value;
      setBatch(answer.value);
    } else if (answer.error.code === "staff.not_found") setMissing(true);
    else setReport({ text: answer.error.message, isTrouble: true });
  }, [id]);
  useEffect(() => void load(), [load]);
  usePoll(() => void load(), pollMs);

  const chosen = search.get("order");
  const current = batch ? currentOrder(batch, chosen) : null;
  const currentId = current?.id ?? null;
  const show = (order: Order | null) => {
    setSearch(order ? { order: String(order.number) } : {}, { replace: true });
    field.current?.focus();
  };
  useEffect(() => field.current?.focus(), [currentId]);
  useKeys([{ code: "F2", label: "Поле сканера", run: () => field.current?.focus() }]);

  const refuse = (text: string) => {
    setReport({ text, isTrouble: true });
    beep();
  };
  const send = <A extends Answer>(call: (key: string) => Promise<A>): Promise<A> =>
    untilAnswered(call, { onLost: () => refuse(waitsForConnection) });
  const paramsOf = (order: Order) => ({ id, orderId: order.id });

  async function entered(orderId: string, text: string): Promise<void> {
    const order = latest.current?.orders.find((each) => each.id === orderId);
    if (!order || !isOpen(order)) return;
    if (left(order) === 0) return finish(order, text);
    if (text === "") return;
    const answer = await send((key) => callStaff(contract.scanPiece, { params: paramsOf(order), body: { code: text }, key }));
    if (answer.ok)
      setReport({ text: `Считано: ${answer.value.title}, ${answer.value.checked} из ${answer.value.count}`, isTrouble: false });
    else if (answer.error?.code === "packing.wrong_piece") refuse(wrongPieceText(answer.error.data.why, answer.error.data.title));
    else if (answer.error?.code === "packing.taken") refuse(`Заказ собирает ${answer.error.data.name}`);
    else if (answer.error) refuse(answer.error.message);
    await load();
  }

  async function finish(order: Order, seal: string): Promise<void> {
    const body = seal === "" ? {} : { seal };
    const answer = await send((key) => callStaff(contract.finishOrder, { params: paramsOf(order), body, key }));
    if (!answer.ok) {
      if (answer.error?.code === "order.seal_taken") refuse(`Эта пломба уже на заказе ${answer.error.data.orderNumber}`);
      else if (answer.error) refuse(answer.error.fields["seal"] ?? answer.error.message);
      return load();
    }
    setReport({ text: `Упакован заказ ${answer.value.number}`, isTrouble: false });
    const { label } = answer.value;
    if (label) showLabels(label.id);
    await load();
    setSearch({}, { replace: true });
  }

  const enqueue = (work: () => Promise<unknown>) => {
    queue.current = queue.current.then(work);
    field.current?.focus();
  };
  const tick = (order: Order, coin: number, checked: number) =>
    enqueue(async () => {
      const answer = await send((key) => callStaff(contract.tickPieces, { params: paramsOf(order), body: { coin, checked }, key }));
      if (answer.ok) setReport(null); // what was said before, such as a lost connection, is over
      else if (answer.error)
        refuse(answer.error.code === "packing.taken" ? `Заказ собирает ${answer.error.data.name}` : answer.error.message);
      await load();
    });
  const postpone = (order: Order, reason: PostponeReason) =>
    enqueue(async () => {
      const answer = await send((key) => callStaff(contract.postponeOrder, { params: paramsOf(order), body: { reason }, key }));
      if (answer.ok) setReport({ text: `Заказ ${order.number}: ${reasonNames[reason]}`, isTrouble: false });
      else if (answer.error) refuse(answer.error.message);
      await load();
    });
  const takeOver = (order: Order) =>
    enqueue(async () => {
      const answer = await send((key) => callStaff(contract.takeOverOrder, { params: paramsOf(order), key }));
      if (answer.ok) setReport(null);
      else if (answer.error) refuse(answer.error.message);
      await load();
    });
  const printLabels = (orders: string[]) =>
    enqueue(async () => {
      const answer = await send((key) => callStaff(contract.requestLabels, { body: { orders }, key }));
      if (answer.ok) showLabels(answer.value.id);
      const leftOut = answer.ok ? answer.value.leftOut : answer.error?.code === "label.no_parcel" ? answer.error.data.leftOut : [];
      if (leftOut.length > 0) refuse(leftOutText(leftOut));
      else if (answer.ok) setReport(null);
      else if (answer.error) refuse(answer.error.message);
      await load();
    });

  if (isMissing) return <MissingScreen />;
  if (!batch)
    return (
      <>
        <PageHead title={`Партия ${id}`} />
        <ScanStatus report={report} />
      </>
    );
  const ended = batch.orders.filter(({ outcome }) => outcome === "packed").length;
  const labelled = batch.orders.filter(({ outcome, deliveryType }) => outcome === "packed" && deliveryType === "carrier");
  const pieces = batch.picks.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="packing">
      <section className="packing__list" aria-label="Партия">
        <PageHead
          title={`Партия ${batch.id}`}
          facts={`${counted(batch.orders.length, ["заказ", "заказа", "заказов"])}, ${counted(pieces, coinForms)}`}
        />
        <BatchLine ended={ended} all={batch.orders.length} />
        <PickList picks={batch.picks} />
        <ol className="packing__orders" aria-label="Заказы партии">
          {batch.orders.map((order) => (
            <li key={order.id}>
              <button className="text-button" type="button" aria-current={order.id === currentId || undefined} onClick={() => show(order)}>
                {order.place}. {order.number}
              </button>{" "}
              <OrderState order={order} />
            </li>
          ))}
        </ol>
        <BatchDocuments id={id} labelled={labelled} onLabels={printLabels} />
      </section>
      <section className="packing__order" aria-label="Заказ">
        {current ? (
          <OneOrder
            order={current}
            field={field}
            report={report}
            onEnter={(text) => enqueue(() => entered(current.id, text))}
            onTick={(coin, checked) => tick(current, coin, checked)}
            onPostpone={(reason) => postpone(current, reason)}
            onTakeOver={() => takeOver(current)}
            onLabel={() => printLabels([current.id])}
          />
        ) : (
          <>
            <p role="status">
              <Good>Партия собрана</Good>
            </p>
            {report?.isTrouble ? <ScanStatus report={report} /> : null}
          </>
        )}
      </section>
    </div>
  );
}

function PickList({ picks }: Pick<Batch, "picks">) {
  return (
    <table className="table">
      <caption className="visually-hidden">Лист подбора</caption>
      <thead>
        <tr>
          <th scope="col">Монета</th>
          <th scope="col">Место</th>
          <th scope="col">Взять</th>
          <th scope="col">Взято</th>
        </tr>
      </thead>
      <tbody>
        {picks.map((pick) => (
          <tr key={pick.coin}>
            <th scope="row">
              {pick.title}
              <br />
              <span className="soft">{pick.facts}</span>
            </th>
            <td className="soft">{pick.places.map(({ place, count }) => (count > 1 ? `${place} (${count})` : place)).join(", ")}</td>
            <td>{pick.count}</td>
            <td>{pick.checked === pick.count ? <Good>{pick.checked}</Good> : pick.checked}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Buttons that print the documents of a batch. `labelled`: its packed orders that need a label. */
function BatchDocuments({ id, labelled, onLabels }: { id: string; labelled: readonly Order[]; onLabels: (orderIds: string[]) => void }) {
  return (
    <div className="packing__acts">
      <button className="button button--medium" type="button" onClick={() => openDocument(`/api/staff/packing/batches/${id}/pick-list`)}>
        <Icon name="print" /> Лист подбора
      </button>
      <button className="button button--medium" type="button" onClick={() => openDocument(`/api/staff/packing/batches/${id}/slips`)}>
        <Icon name="print" /> Упаковочные листы
      </button>
      <button
        className="button button--medium"
        type="button"
        disabled={labelled.length === 0}
        onClick={() => onLabels(labelled.map((order) => order.id))}
      >
        <Icon name="print" /> Этикетки партии
      </button>
    </div>
  );
}

const reportId = "scan-report";
/** The result of the last scan or click. */
const ScanStatus = ({ report }: { report: ScanReport | null }) => (
  <p className="packing__said" id={reportId} role={report?.isTrouble ? "alert" : "status"}>
    {report ? report.isTrouble ? <Trouble>{report.text}</Trouble> : <Good>{report.text}</Good> : null}
  </p>
);

const showLabels = (fileId: number): void => {
  if (!openDocument(`/packing/labels/${fileId}`))
    showToast("Браузер не открыл окно этикетки: разрешите окна для этого адреса", { isTrouble: true });
};

/** The order of the address, else the first that no other packer has. */
function currentOrder({ orders }: Batch, chosen: string | null): Order | null {
  return (
    orders.find(({ number }) => String(number) === chosen) ?? orders.find((order) => isOpen(order) && (order.packer?.isMe ?? true)) ?? null
  );
}

function OneOrder({
  order,
  field,
  report,
  onEnter,
  onTick,
  onPostpone,
  onTakeOver,
  onLabel,
}: {
  order: Order;
  field: React.RefObject<HTMLInputElement | null>;
  report: ScanReport | null;
  onEnter: (text: string) => void;
  onTick: (coin: number, checked: number) => void;
  onPostpone: (reason: PostponeReason) => void;
  onTakeOver: () => void;
  onLabel: () => void;
}) {
  const missing = left(order);
  const isSealNext = missing === 0 && order.needsSeal;
  const next = order.lines.find(({ count, checked }) => checked < count);
  const enter = (input: HTMLInputElement) => {
    onEnter(input.value.trim());
    input.value = "";
  };
  return (
    <div className="packing__form">
      <div className="head">
        <h2 className="packing__number">{order.number}</h2>
        <p className="soft">
          {order.destination}
          <br />
          {order.recipient}
        </p>
      </div>
      {order.packer && !order.packer.isMe ? (
        <Notice tone="warn">
          <p>
            Заказ собирает {order.packer.name}.{" "}
            <button className="text-button" type="button" onClick={onTakeOver}>
              Забрать себе
            </button>
          </p>
        </Notice>
      ) : null}
      {order.isGone ? (
        <Notice tone="warn">
          <p>Заказ отменён или собран в другом месте. Верните монеты на полку</p>
        </Notice>
      ) : null}
      {isOpen(order) ? (
        <div className="scan">
          <Icon name="scan" />
          <label className="visually-hidden" htmlFor="scan">
            {isSealNext ? "Номер пломбы" : "Код монеты"}
          </label>
          <input
            className="input"
            id="scan"
            data-passing
            ref={field}
            autoComplete="off"
            aria-describedby={reportId}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              enter(event.currentTarget);
            }}
            placeholder={
              isSealNext ? "Всё на месте: считайте пломбу" : missing === 0 ? "Всё на месте" : "Поднесите сканер или отметьте пальцем"
            }
          />
          <kbd>F2</kbd>
        </div>
      ) : null}
      <ScanStatus report={report} />
      <div>
        {order.lines.map((line) => (
          <label className={line === next ? "piece piece--now" : "piece"} key={line.coin}>
            <img src={line.image} width="52" height="52" alt="" />
            <span>
              <b>{line.title}</b>
              <span className="soft">
                {line.facts}, {line.code}
              </span>
              {line.checked > line.count ? (
                <>
                  <br />
                  <Trouble>верните на полку: {line.checked - line.count}</Trouble>
                </>
              ) : null}
            </span>
            <span className="piece__count">
              {line.checked} из {line.count}
            </span>
            <input
              className="check"
              type="checkbox"
              data-passing
              disabled={!isOpen(order)}
              checked={line.checked >= line.count}
              aria-label={`${line.title}, отметить`}
              onChange={() => onTick(line.coin, line.checked < line.count ? line.checked + 1 : line.checked > line.count ? line.count : 0)}
            />
          </label>
        ))}
      </div>
      {order.outcome === "packed" ? <PackedFacts order={order} onLabel={onLabel} /> : null}
      {order.outcome === null ? (
        <div className="packing__foot">
          <button className="button button--large" type="button" onClick={() => onPostpone(order.isGone ? "other" : "missing")}>
            {order.isGone ? "Убрать из партии" : "Нет монеты"}
          </button>
          <button className="button button--large" type="button" disabled={order.isGone} onClick={() => onPostpone("defect")}>
            Монета с дефектом
          </button>
          <button
            className="button button--gold button--large"
            type="button"
            onClick={() => field.current && enter(field.current)}
            disabled={missing > 0 || order.isGone}
          >
            {missing > 0 ? `Упаковано, ещё ${missing}` : "Упаковано"}
          </button>
        </div>
      ) : null}
    </div>
  );
}

function PackedFacts({ order, onLabel }: { order: Order; onLabel: () => void }) {
  const { label, seal, tracking, deliveryType } = order;
  return (
    <div className="packing__packed">
      <p>
        <Good>Упакован{seal ? `, пломба ${seal}` : ""}</Good>
      </p>
      {deliveryType === "carrier" ? (
        <p>
          {label?.state === "waiting" || label?.state === "asked" ? "Этикетка готовится" : null}
          {label?.state === "ready" ? "Этикетка СДЭК готова" : null}
          {label?.state === "failed" ? <Trouble>Этикетки нет: {labelFaultText(label.fault)}</Trouble> : null} {tracking}
        </p>
      ) : (
        <p className="soft">Этикетка не нужна</p>
      )}
      <div className="packing__acts">
        {deliveryType === "carrier" ? (
          <button className="button button--medium" type="button" onClick={onLabel}>
            <Icon name="print" /> Этикетка
          </button>
        ) : null}
        <button className="button button--medium" type="button" onClick={() => openDocument(`/api/staff/packing/orders/${order.id}/slip`)}>
          <Icon name="print" /> Упаковочный лист
        </button>
      </div>
    </div>
  );
}

function OrderState({ order }: { order: Order }) {
  if (order.outcome === "packed") return <Good>упакован</Good>;
  if (order.outcome === "postponed") return <Trouble>{order.reason ? reasonNames[order.reason] : "отложен"}</Trouble>;
  if (order.isGone) return <Trouble>отменён</Trouble>;
  if (order.packer && !order.packer.isMe) return <span className="soft">собирает {order.packer.name}</span>;
  return null;
}

/** The measuring line of a batch: what is packed of all. */
function BatchLine({ ended, all }: { ended: number; all: number }) {
  const at = (count: number): number => 4 + (452 * count) / Math.max(all, 1);
  return (
    <svg className="batch" viewBox="0 0 460 46" role="img" aria-label={`Партия: собрано ${ended} из ${all}`}>
      <path className="line" d="M4 22H456" />
      {Array.from({ length: all + 1 }, (_, count) => (
        <path className="tick" key={count} d={`M${at(count)} 17V27`} />
      ))}
      <path className="value" d={`M4 22H${at(ended)}`} />
      <path className="is-current" d={`M${at(ended)} 12V32`} />
      <text x="4" y="44">
        {ended}
      </text>
      <text x="456" y="44" textAnchor="end">
        из {all}
      </text>
    </svg>
  );
}

/** A short low tone: the packer looks at the coins and not at the screen. */
function beep(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  tone.frequency.value = 220;
  tone.connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.35);
  tone.addEventListener("ended", () => void audio.close());
}
