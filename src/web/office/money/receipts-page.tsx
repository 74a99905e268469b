import { useState } from "react";
import { useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { receiptParts } from "#shop/payment/lists/lists.ts";
import { when } from "../staff/words.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Field } from "../ui/form/field.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { OrderLinks } from "./order-links.tsx";
import { countText, receiptKindTexts, receiptModeTexts, receiptStateTexts, sum, type ReceiptView } from "./words.ts";

const partLabels = { to_print: "Пробить в офисе", failed: "Не пробиты", registering: "Отправлены", printed: "Пробиты" } as const;

/** Receipts by what waits: to print at the office, failed at the provider's register, printed. */
export function Component() {
  const [params] = useSearchParams();
  const number = params.get("number");
  /** The receipts of one order in every state. */
  const isOfOrder = params.get("view") === "order" && number !== null;
  const part = receiptParts.find((each) => each === params.get("view")) ?? "to_print";
  const caption = isOfOrder ? `Чеки заказа ${number}` : partLabels[part];
  const { cursor, newer, older } = usePages();
  const query = { ...(isOfOrder ? {} : { part }), ...(number ? { number } : {}), ...(cursor === undefined ? {} : { cursor }) };
  const { data, refusal, reload } = useRead(contract.readReceipts, { query });
  const { data: counts, reload: recount } = useRead(contract.readMoneyCounts);
  const retry = useSend(contract.retryReceipt);
  const [open, setOpen] = useState<ReceiptView | null>(null);
  const show = (row: ReceiptView) => void (row.id !== open?.id && leavePanel(() => setOpen(row)));
  const refresh = async () => {
    await Promise.all([reload(), recount()]);
  };
  const sendAgain = async (id: string) => {
    const answer = await retry.send({ params: { id } });
    if (answer?.ok) showToast("Чек отправлен снова");
    else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
    await refresh();
  };
  return (
    <WithPanel panel={open ? <PrintPanel key={open.id} receipt={open} onClose={() => setOpen(null)} onPrinted={refresh} /> : null}>
      <PageHead title="Чеки" />
      <ViewTabs
        label="Чеки"
        views={[
          ...receiptParts.map((id) => ({
            id,
            label: partLabels[id],
            ...(counts && id === "to_print" ? { count: { text: countText(counts.receiptsToPrint) } } : {}),
            ...(counts && id === "failed"
              ? { count: { text: countText(counts.receiptsFailed), isTrouble: counts.receiptsFailed > 0 } }
              : {}),
          })),
          ...(isOfOrder ? [{ id: "order", label: `Заказ ${number}`, filter: { number } }] : []),
        ]}
      />
      <DataTable<ReceiptView>
        caption={caption}
        bar={<Filters label="Отбор чеков" find={{ name: "number", label: "Номер заказа" }} />}
        columns={[
          { key: "at", head: "С", cell: ({ createdAt }) => <span className="number soft">{when(createdAt)}</span> },
          {
            key: "order",
            head: "Заказ",
            isRowHead: true,
            cell: ({ order }) => <OrderLinks order={order} />,
          },
          { key: "kind", head: "Чек", cell: ({ kind, mode }) => `${receiptKindTexts[kind]}, ${receiptModeTexts[mode]}` },
          ...(isOfOrder ? [{ key: "state", head: "Состояние", cell: ({ state }: ReceiptView) => receiptStateTexts[state] }] : []),
          { key: "amount", head: "Сумма, ₽", isRight: true, cell: ({ amount }) => <span className="number strong">{sum(amount)}</span> },
          {
            key: "what",
            head: "Состав",
            isCut: true,
            cell: ({ lines }) => <span className="soft">{lines.map(({ title, quantity }) => `${title} ×${quantity}`).join(", ")}</span>,
          },
          {
            key: "act",
            head: "Действие",
            isHeadHidden: true,
            cell: (row) =>
              row.state === "succeeded" ? (
                <>
                  <span className="muted number">{row.fiscal ? `ФД ${row.fiscal.documentNumber}` : ""}</span>{" "}
                  {mayEnter(row) ? (
                    <button className="button button--small" type="button" onClick={() => show(row)}>
                      Исправить
                    </button>
                  ) : null}
                </>
              ) : mayEnter(row) ? (
                <>
                  <button className="button button--small" type="button" onClick={() => show(row)}>
                    Внести номера
                  </button>{" "}
                  {row.registrar === "provider" ? (
                    <button className="button button--small" type="button" disabled={retry.isBusy} onClick={() => void sendAgain(row.id)}>
                      Отправить снова
                    </button>
                  ) : null}
                </>
              ) : null,
          },
        ]}
        rows={data?.items}
        keyOf={({ id }) => id}
        nameOf={({ order }) => order.number}
        onOpen={show}
        isTrouble={({ state }) => state === "canceled"}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Таких чеков нет"
        paging={{ newer, older: older(data?.next) }}
      />
    </WithPanel>
  );
}

type Numbers = { storageNumber: string; documentNumber: string; attribute: string };
const numberLabels: Readonly<Record<keyof Numbers, string>> = { storageNumber: "ФН", documentNumber: "ФД", attribute: "ФПД" };
const numbersOf = ({ storageNumber, documentNumber, attribute }: Numbers): Numbers => ({ storageNumber, documentNumber, attribute });
/** The office enters and corrects the numbers of its own receipts, and of those that the provider refused. */
const mayEnter = ({ registrar, state }: ReceiptView): boolean => registrar === "office" || state === "canceled";

function PrintPanel({ receipt, onClose, onPrinted }: { receipt: ReceiptView; onClose: () => void; onPrinted: () => Promise<void> }) {
  const known = receipt.fiscal && numbersOf(receipt.fiscal);
  const [typed, setTyped] = useState<Numbers>(known ?? { storageNumber: "", documentNumber: "", attribute: "" });
  /** The numbers that a colleague entered meanwhile. */
  const [newer, setNewer] = useState<{ numbers: Numbers | null } | null>(null);
  const { send, isBusy, refusal, fields } = useSend(contract.printReceipt);
  const submit = async (earlier = known) => {
    setNewer(null);
    const answer = await send({ params: { id: receipt.id }, body: { ...typed, earlier } });
    if (answer?.ok) {
      showToast(known ? `Номера чека по заказу ${receipt.order.number} исправлены` : `Чек по заказу ${receipt.order.number} пробит`);
      onClose();
      await onPrinted();
    } else if (answer?.error?.code === "staff.stale") setNewer({ numbers: answer.error.data.current });
  };
  const field = (name: keyof Numbers, label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      inputMode="numeric"
      autoComplete="off"
      value={typed[name]}
      error={fields[name] ?? null}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value.replaceAll(/\s/g, "") })}
    />
  );
  return (
    <Panel
      title={`Чек по заказу ${receipt.order.number}`}
      onClose={onClose}
      {...(mayEnter(receipt) ? { onSubmit: () => void submit() } : {})}
      foot={
        mayEnter(receipt) ? (
          <button className="button button--gold button--wide" type="submit" disabled={isBusy}>
            {known ? "Исправить номера" : "Чек пробит"} <kbd>Ctrl Enter</kbd>
          </button>
        ) : null
      }
    >
      <dl className="rows">
        <div className="total">
          <dt>{receiptKindTexts[receipt.kind]}</dt>
          <dd className="number">{sum(receipt.amount)} ₽</dd>
        </div>
        <div>
          <dt>Признак расчёта</dt>
          <dd>{receiptModeTexts[receipt.mode]}</dd>
        </div>
        <div>
          <dt>Чек на почту</dt>
          <dd>{receipt.email || "не указана"}</dd>
        </div>
        {receipt.lines.map(({ title, quantity, price, vatCode }, at) => (
          <div key={`${at} ${title}`}>
            <dt>{title}</dt>
            <dd className="number">
              {quantity} × {sum(price)} ₽, НДС код {vatCode}
            </dd>
          </div>
        ))}
      </dl>
      {mayEnter(receipt) ? (
        <>
          {field("storageNumber", "ФН", "16 цифр")}
          {field("documentNumber", "ФД", "номер документа")}
          {field("attribute", "ФПД", "фискальный признак, до 10 цифр")}
        </>
      ) : known ? (
        <p className="hint number">
          ФН {known.storageNumber}, ФД {known.documentNumber}, ФПД {known.attribute}
        </p>
      ) : null}
      <StaleDialog
        fields={
          newer &&
          (["storageNumber", "documentNumber", "attribute"] as const).map((name) => ({
            label: numberLabels[name],
            yours: typed[name],
            current: newer.numbers?.[name] ?? "",
          }))
        }
        onKeepYours={() => newer && void submit(newer.numbers)}
        onTakeCurrent={() => {
          onClose();
          void onPrinted();
        }}
        onClose={() => setNewer(null)}
      />
      {refusal && !newer && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
    </Panel>
  );
}
