import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { days } from "#kit/time.ts";
import type { ImportKind } from "#shop/exchange/imports/import.ts";
import { callStaff, saveFile } from "../client.ts";
import { deliveryOptions, paymentOptions } from "../orders/list/method-options.ts";
import { useStaff } from "../session.ts";
import { DateInput } from "../ui/form/date-input.tsx";
import { Check, Select } from "../ui/form/field.tsx";
import { Trouble } from "../ui/marks.tsx";
import { Section } from "../ui/page-head.tsx";
import { useSend } from "../ui/send/use-send.ts";
import { kindNames } from "./words.ts";

type Format = "csv" | "xlsx";
const formats = [
  ["xlsx", "XLSX"],
  ["csv", "CSV"],
] as const;
/** The ids behind a choice; none: any. */
const idsOf = <Id extends number>(choice: string): Id[] => (choice === "" ? [] : choice.split(",").map((id) => Number(id) as Id));
const today = (): string => isoMoscow(new Date()).slice(0, 10);
const monthAgo = (): string => isoMoscow(new Date(Date.now() - days(30))).slice(0, 10);

/** Tables of the shop, and the price list for partners. */
export function ExportView() {
  return (
    <>
      <Goods />
      <Orders />
      <PriceList />
    </>
  );
}

function Goods() {
  const { send, isBusy, refusal } = useSend(contract.exportGoods);
  const [format, setFormat] = useState<Format>("xlsx");
  const save = async (kind: ImportKind) => {
    const answer = await send({ body: { kind, format } });
    if (answer?.ok) saveFile(answer.value);
  };
  return (
    <Section title="Монеты, цены и остатки">
      <p className="soft">
        Все монеты, на витрине и нет. Таблицу можно поправить и загрузить обратно: неизменённые строки ничего не поменяют.
      </p>
      <div className="filters filters--labelled" data-passing>
        <Select label="Формат таблиц" options={formats} value={format} onChange={(event) => setFormat(event.target.value as Format)} />
        {(["prices", "coins", "stock"] as const).map((kind) => (
          <button className="button" type="button" key={kind} disabled={isBusy} onClick={() => void save(kind)}>
            {kindNames[kind]}
          </button>
        ))}
      </div>
      {refusal ? (
        <p role="alert">
          <Trouble>{refusal.message}</Trouble>
        </p>
      ) : null}
    </Section>
  );
}

function Orders() {
  const staff = useStaff();
  const plain = useSend(contract.exportOrders);
  const personal = useSend(contract.exportOrdersWithBuyers);
  const [from, setFrom] = useState(monthAgo);
  const [till, setTill] = useState(today);
  const [format, setFormat] = useState<Format>("xlsx");
  const [which, setWhich] = useState<"all" | "closed">("all");
  const [delivery, setDelivery] = useState("");
  const [payment, setPayment] = useState("");
  const [withBuyers, setWithBuyers] = useState(false);
  const call = withBuyers ? personal : plain;
  const save = async () => {
    const states = which === "all" ? [] : (["delivered", "cancelled", "returned"] as const);
    const answer = await call.send({
      body: { from, till, states: [...states], deliveries: idsOf(delivery), payments: idsOf(payment), format },
    });
    if (answer?.ok) saveFile(answer.value);
  };
  return (
    <Section title="Заказы">
      <div className="filters filters--labelled" data-passing>
        <DateInput label="С" value={from} onChange={(day) => setFrom(day ?? monthAgo())} error={call.fields["from"]} />
        <DateInput label="По" value={till} onChange={(day) => setTill(day ?? today())} error={call.fields["till"]} />
        <Select
          label="Какие"
          options={[
            ["all", "все"],
            ["closed", "завершённые"],
          ]}
          value={which}
          onChange={(event) => setWhich(event.target.value as "all" | "closed")}
        />
        <Select label="Доставка" options={deliveryOptions} value={delivery} onChange={(event) => setDelivery(event.target.value)} />
        <Select label="Оплата" options={paymentOptions} value={payment} onChange={(event) => setPayment(event.target.value)} />
        <Select label="Формат заказов" options={formats} value={format} onChange={(event) => setFormat(event.target.value as Format)} />
        {staff.may("customers.export") ? (
          <Check checked={withBuyers} onChange={(event) => setWithBuyers(event.target.checked)}>
            С именами, телефонами и адресами
          </Check>
        ) : null}
        <button className="button" type="button" disabled={call.isBusy} onClick={() => void save()}>
          Выгрузить заказы
        </button>
      </div>
      {call.refusal ? (
        <p role="alert">
          <Trouble>{call.refusal.message}</Trouble>
        </p>
      ) : null}
    </Section>
  );
}

function PriceList() {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const save = async (format: "pdf" | "xlsx") => {
    setBusy(true);
    const answer = await callStaff(contract.printPriceList, { query: { format } });
    setBusy(false);
    setFault(answer.ok ? null : (answer.error?.message ?? null));
    if (answer.ok) saveFile(answer.value);
  };
  return (
    <Section title="Прайс-лист для партнёров">
      <p className="soft">Монеты в наличии с ценой, выкупом и чистым металлом. На листе стоят курс и его время.</p>
      <div className="filters">
        <button className="button" type="button" disabled={isBusy} onClick={() => void save("pdf")}>
          Прайс PDF
        </button>
        <button className="button" type="button" disabled={isBusy} onClick={() => void save("xlsx")}>
          Прайс XLSX
        </button>
      </div>
      {fault ? (
        <p role="alert">
          <Trouble>{fault}</Trouble>
        </p>
      ) : null}
    </Section>
  );
}
