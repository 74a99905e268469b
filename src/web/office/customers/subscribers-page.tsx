import { Link, useNavigate, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readSubscribers } from "#contract/staff/customers/customers.ts";
import { day } from "#kit/format.ts";
import { useStaff } from "../session.ts";
import { confirm } from "../ui/form/confirm.tsx";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Notice } from "../ui/marks.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { CustomersHead } from "./customers-head.tsx";

type Row = z.output<(typeof readSubscribers)["answer"]>["items"][number];

/** The card on which the contacts are opened; null: the guest of an order that the role may not read. */
const pathOf = ({ customerId, order }: Row): string | null =>
  customerId !== null ? `/customers/${customerId}` : order ? `/orders/${order.id}` : null;

/** Who gets the newsletter: e-mails are masked as everywhere, and opened on the card of the customer or of the order. */
export function Component() {
  const staff = useStaff();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const pages = usePages();
  const text = params.get("text") ?? "";
  const { data, refusal, reload } = useRead(contract.readSubscribers, { query: { text, cursor: pages.cursor } });
  const ending = useSend(contract.endNewsletter);
  const end = async ({ id, maskedEmail }: Row) => {
    const question = {
      title: `Отписать ${maskedEmail}?`,
      text: "Новостей на эту почту больше не будет: ни по кабинету, ни по заказам с ней. Письма о заказах останутся. Запишем в журнал.",
      action: "Отписать",
    };
    if (!(await confirm(question))) return;
    const answer = await ending.send({ params: { id } });
    if (!answer?.ok) return;
    showToast(`Больше не пишем: ${maskedEmail}`);
    await reload();
  };
  return (
    <>
      <CustomersHead title="Подписчики" facts="согласны получать письма магазина; почта открывается в карточке" />
      {ending.refusal ? (
        <Notice tone="warn">
          <p>{ending.refusal.message}</p>
        </Notice>
      ) : null}
      <DataTable
        bar={<Filters label="Поиск подписчика" find={{ name: "text", label: "Начало почты" }} />}
        caption="Подписчики, новые сверху"
        columns={[...columns, ...(staff.may("customers.open") ? [endColumn(ending.isBusy, (row) => void end(row))] : [])]}
        rows={data?.items}
        keyOf={({ id }) => `${id}`}
        nameOf={({ name, maskedEmail }) => name || maskedEmail}
        onOpen={(row) => {
          const path = pathOf(row);
          if (path) void navigate(path);
        }}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty={text ? "Никого не нашли. Нужны две первые буквы почты" : "Подписчиков ещё нет"}
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
      />
    </>
  );
}

const columns: Column<Row>[] = [
  {
    key: "name",
    head: "Подписчик",
    isRowHead: true,
    isBounded: true,
    cell: (row) => {
      const path = pathOf(row);
      return path ? <Link to={path}>{row.name || "Без имени"}</Link> : row.name || "Без кабинета";
    },
  },
  { key: "email", head: "Почта", isCut: true, cell: ({ maskedEmail }) => <span className="soft">{maskedEmail}</span> },
  { key: "since", head: "Согласие", cell: ({ since }) => <span className="number soft">{day(new Date(since))}</span> },
  {
    key: "source",
    head: "Откуда",
    cell: ({ source, order }) =>
      source === "account" ? "кабинет" : order ? <Link to={`/orders/${order.id}`}>заказ {order.number}</Link> : "заказ",
  },
  { key: "version", head: "Текст", isWideOnly: true, cell: ({ textVersion }) => <span className="soft">{textVersion}</span> },
];

const endColumn = (isBusy: boolean, onEnd: (row: Row) => void): Column<Row> => ({
  key: "end",
  head: "Отписать",
  isHeadHidden: true,
  cell: (row) => (
    <button
      className="text-button"
      type="button"
      disabled={isBusy}
      aria-label={`Отписать ${row.name || row.maskedEmail}`}
      onClick={() => onEnd(row)}
    >
      Отписать
    </button>
  ),
});
