import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { actorText } from "../staff/words.ts";
import { codeStateTexts, discountText, spanText, usesText } from "./promo-words.ts";

/** All promo codes, newest first. */
export function Component() {
  const paging = usePages();
  const { data, refusal, reload } = useRead(contract.readPromoCodes, { query: paging.cursor ? { cursor: paging.cursor } : {} });
  return (
    <>
      <PageHead
        title="Промокоды"
        facts="Покупатель вводит промокод в корзине. Ниже металла цена не опускается."
        actions={
          <Link className="button button--gold" to="/prices/codes/new">
            Новый промокод
          </Link>
        }
      />
      <WaitingApprovals area="promo_code" />
      <DataTable
        caption="Промокоды"
        columns={[
          {
            key: "code",
            head: "Промокод",
            isRowHead: true,
            isCut: true,
            cell: ({ id, code }) => <Link to={`/prices/codes/${id}`}>{code}</Link>,
          },
          { key: "discount", head: "Скидка", isRight: true, cell: discountText },
          { key: "uses", head: "Использован", isRight: true, cell: usesText },
          { key: "span", head: "Когда", cell: ({ startsAt, endsAt }) => spanText(startsAt, endsAt) },
          { key: "state", head: "Состояние", cell: ({ state }) => codeStateTexts[state] },
          { key: "who", head: "Кто", isWideOnly: true, cell: ({ createdBy }) => actorText(createdBy) },
        ]}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={({ code }) => code}
        pathOf={({ id }) => `/prices/codes/${id}`}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Промокодов ещё нет"
        paging={{ newer: paging.newer, older: paging.older(data?.next) }}
      />
    </>
  );
}
