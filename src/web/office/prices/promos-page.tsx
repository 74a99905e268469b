import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { actorText } from "../staff/words.ts";
import { promoStateText, spanText } from "./promo-words.ts";
import { actionText } from "./words.ts";

/** All price promos, newest first. */
export function Component() {
  const paging = usePages();
  const { data, refusal, reload } = useRead(contract.readPricePromos, { query: paging.cursor ? { cursor: paging.cursor } : {} });
  return (
    <>
      <PageHead
        title="Акции"
        facts="Снижают цену на время. Собственные цены монет под ними остаются."
        actions={
          <Link className="button button--gold" to="/prices">
            Новая акция
          </Link>
        }
      />
      <WaitingApprovals area="price_promo" />
      <DataTable
        caption="Акции"
        columns={[
          {
            key: "label",
            head: "Акция",
            isRowHead: true,
            isCut: true,
            cell: ({ id, label }) => <Link to={`/prices/promos/${id}`}>{label}</Link>,
          },
          { key: "action", head: "Что", cell: ({ action }) => actionText(action) },
          { key: "span", head: "Когда", cell: ({ startsAt, endsAt }) => spanText(startsAt, endsAt) },
          { key: "coins", head: "Монет", isRight: true, cell: ({ coins }) => coins },
          {
            key: "state",
            head: "Состояние",
            cell: (promo) =>
              promo.state === "refused" || promo.state === "missed" ? <Trouble>{promoStateText(promo)}</Trouble> : promoStateText(promo),
          },
          { key: "who", head: "Кто", isWideOnly: true, cell: ({ createdBy }) => actorText(createdBy) },
        ]}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={({ label }) => label}
        pathOf={({ id }) => `/prices/promos/${id}`}
        isTrouble={({ state }) => state === "refused" || state === "missed"}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Акций ещё не было. Отметьте монеты в «Ценах» и выберите «Акция»."
        paging={{ newer: paging.newer, older: paging.older(data?.next) }}
      />
    </>
  );
}
