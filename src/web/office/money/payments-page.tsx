import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { setCounts } from "../shell/counts.ts";
import { when } from "../staff/words.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { usePages } from "../ui/send/use-pages.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { Differences } from "./differences.tsx";
import { Refunds } from "./refunds.tsx";
import { Returns } from "./returns.tsx";
import { Transfers } from "./transfers.tsx";
import { countText, methodTexts, paymentTexts, sum, type PaymentView } from "./words.ts";

/** Payments, and beside them transfers, refunds that wait and differences with the provider. */
export function Component() {
  const [params] = useSearchParams();
  const view = params.get("view") ?? "all";
  const { data: counts, reload } = useRead(contract.readMoneyCounts);
  const refunds = counts ? counts.refundsByHand + counts.refundsRefused + counts.refundsStuck + counts.entriesToReturn : 0;
  const differences = counts?.differences ?? 0;
  useEffect(() => {
    if (!counts) return;
    setCounts({
      "/payments": { text: countText(refunds + differences), isTrouble: counts.refundsStuck + counts.refundsRefused + differences > 0 },
      "/statement": { text: countText(counts.entries) },
      "/receipts": { text: countText(counts.receiptsToPrint + counts.receiptsFailed), isTrouble: counts.receiptsFailed > 0 },
    });
  }, [counts, refunds, differences]);
  return (
    <>
      <PageHead title="Платежи" />
      <ViewTabs
        label="Деньги"
        views={[
          { id: "all", label: "Попытки оплаты" },
          { id: "transfers", label: "Переводы" },
          { id: "refunds", label: "Возвраты", count: { text: countText(refunds), isTrouble: refunds > 0 } },
          { id: "differences", label: "Расхождения", count: { text: countText(differences), isTrouble: differences > 0 } },
        ]}
      />
      {view === "transfers" ? (
        <Transfers />
      ) : view === "refunds" ? (
        <>
          <Refunds onChange={reload} />
          <Returns onChange={reload} />
        </>
      ) : view === "differences" ? (
        <Differences onChange={reload} />
      ) : (
        <Payments />
      )}
    </>
  );
}

function Payments() {
  const [params] = useSearchParams();
  const { cursor, newer, older } = usePages();
  const query: Record<string, string> = cursor === undefined ? {} : { cursor };
  for (const name of ["number", "state", "method", "from", "till"]) {
    const value = params.get(name);
    if (value) query[name] = value;
  }
  const { data, refusal, reload } = useRead(contract.readPayments, { query });
  return (
    <DataTable<PaymentView>
      caption="Попытки оплаты, новые сверху"
      bar={
        <Filters
          label="Отбор платежей"
          find={{ name: "number", label: "Номер заказа или платежа" }}
          days={[
            { name: "from", label: "С" },
            { name: "till", label: "По" },
          ]}
          selects={[
            { name: "state", label: "Состояние", options: [["", "любое"], ...Object.entries(paymentTexts)] },
            { name: "method", label: "Способ", options: [["", "любой"], ...Object.entries(methodTexts)] },
          ]}
        />
      }
      columns={[
        { key: "at", head: "Создан", cell: ({ createdAt }) => <span className="number soft">{when(createdAt)}</span> },
        {
          key: "order",
          head: "Заказ",
          isRowHead: true,
          cell: ({ id, order }) => (
            <Link className="number" to={`/payments/${id}`}>
              {order.number}
            </Link>
          ),
        },
        { key: "attempt", head: "Попытка", cell: ({ attempt }) => <span className="number soft">{attempt}</span>, isWideOnly: true },
        { key: "method", head: "Способ", cell: ({ method }) => methodTexts[method] },
        {
          key: "state",
          head: "Состояние",
          cell: ({ state, isKept }) => (isKept === "returned" ? "лишний, возвращаем" : paymentTexts[state]),
        },
        { key: "amount", head: "Сумма, ₽", isRight: true, cell: ({ amount }) => <span className="number strong">{sum(amount)}</span> },
        { key: "refunded", head: "Возвращено, ₽", isRight: true, cell: ({ refunded }) => <span className="number">{sum(refunded)}</span> },
        {
          key: "provider",
          head: "Номер у платёжной системы",
          isCut: true,
          cell: ({ providerId }) => <span className="muted">{providerId ?? ""}</span>,
        },
      ]}
      rows={data?.items}
      keyOf={({ id }) => id}
      nameOf={({ order }) => order.number}
      pathOf={({ id }) => `/payments/${id}`}
      error={refusal?.message ?? null}
      onRetry={() => void reload()}
      empty="Платежей с таким отбором нет"
      paging={{ newer, older: older(data?.next) }}
    />
  );
}
