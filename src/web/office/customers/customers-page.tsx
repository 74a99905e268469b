import { Link, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { findCustomers } from "#contract/staff/customers/customers.ts";
import { day } from "#kit/format.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { CustomersHead } from "./customers-head.tsx";

type Row = z.output<(typeof findCustomers)["answer"]>["items"][number];

const columns: Column<Row>[] = [
  {
    key: "name",
    head: "Покупатель",
    isRowHead: true,
    isBounded: true,
    cell: ({ id, name }) => <Link to={`/customers/${id}`}>{name || "Без имени"}</Link>,
  },
  { key: "phone", head: "Телефон", cell: ({ maskedPhone }) => <span className="number soft">{maskedPhone}</span> },
  { key: "email", head: "Почта", isCut: true, cell: ({ maskedEmail }) => <span className="soft">{maskedEmail ?? "нет"}</span> },
  {
    key: "since",
    head: "В кабинете с",
    isWideOnly: true,
    cell: ({ registeredAt }) => <span className="number soft">{day(new Date(registeredAt))}</span>,
  },
];

export function Component() {
  const [params] = useSearchParams();
  const pages = usePages();
  const text = params.get("text") ?? "";
  const { data, refusal, reload } = useRead(contract.findCustomers, { query: { text, cursor: pages.cursor } });
  return (
    <>
      <CustomersHead title="Покупатели" facts="с кабинетом; заказы без кабинета ищите в разделе «Заказы»" />
      <DataTable
        bar={<Filters label="Поиск покупателя" find={{ name: "text", label: "Конец телефона, имя, начало почты" }} />}
        caption="Покупатели, новые сверху"
        columns={columns}
        rows={data?.items}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        pathOf={({ id }) => `/customers/${id}`}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty={text ? "Никого не нашли. Нужны четыре последние цифры телефона или две буквы" : "Покупателей ещё нет"}
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
      />
    </>
  );
}
