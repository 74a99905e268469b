import { Link, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { sum } from "../money/words.ts";
import { actorText, when } from "../staff/words.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { promoStateText, spanText, type PromoItemView } from "./promo-words.ts";
import { actionText, coinCount, points } from "./words.ts";

/** One price promo with its coins, and its early end. */
export function Component() {
  const { id = "" } = useParams();
  return <PricePromo key={id} id={id} />;
}

function PricePromo({ id }: { id: string }) {
  const paging = usePages();
  const { data, refusal, reload } = useRead(contract.readPricePromo, {
    params: { id },
    query: paging.cursor ? { cursor: paging.cursor } : {},
  });
  const stop = useSend(contract.stopPricePromo);
  const promo = data?.promo;
  const isRunning = promo?.state === "running";
  const end = async () => {
    const isSure = await confirm({
      title: isRunning ? "Закончить акцию?" : "Отменить акцию?",
      text: <p>{isRunning ? "Обычные цены вернутся сразу. Закреплённые покупателями цены останутся." : "Цены не изменятся."}</p>,
      action: isRunning ? "Закончить" : "Отменить акцию",
    });
    if (!isSure) return;
    const answer = await stop.send({ params: { id } });
    if (answer?.ok) showToast(isRunning ? "Акция закончена: обычные цены вернулись" : "Акция отменена");
    await reload();
  };
  const facts = promo
    ? [
        actionText(promo.action),
        spanText(promo.startsAt, promo.endsAt),
        promoStateText(promo),
        `${actorText(promo.createdBy)}, ${when(promo.createdAt)}`,
        ...(promo.approvalReason ? [`согласовано: ${promo.approvalReason}`] : []),
      ]
    : [];
  return (
    <>
      <PageHead
        title={promo?.label ?? "Акция"}
        facts={facts.join(" · ")}
        actions={
          <>
            <Link className="button" to="/prices/promos">
              Все акции
            </Link>
            {promo && (isRunning || promo.state === "scheduled") ? (
              <button className="button" type="button" disabled={stop.isBusy} onClick={() => void end()}>
                {isRunning ? "Закончить" : "Отменить"}
              </button>
            ) : null}
          </>
        }
      />
      {(refusal ?? stop.refusal) ? (
        <Notice tone="warn">
          <p>{(refusal ?? stop.refusal)?.message}</p>
        </Notice>
      ) : null}
      {promo?.refusal ? (
        <Notice tone="warn">
          <p>Не начата: {promo.refusal}. Создайте акцию заново, и второй человек подтвердит.</p>
        </Notice>
      ) : null}
      {promo && promo.startedAt !== null && promo.crossedOut < promo.coins ? (
        <Notice>
          <p>{coinCount(promo.coins - promo.crossedOut)} без зачёркнутой цены: до акции они продавались по этой цене слишком недолго.</p>
        </Notice>
      ) : null}
      <DataTable
        caption="Монеты акции"
        columns={[
          { key: "coin", head: "Монета", isRowHead: true, isCut: true, cell: ({ title }) => title },
          { key: "before", head: "Обычная", isRight: true, cell: (item) => <span className="from">{beforeText(item)}</span> },
          { key: "after", head: "По акции", isRight: true, cell: (item) => <span className="after-value">{afterText(item)}</span> },
          {
            key: "settled",
            head: "Зачёркиваем не больше",
            isRight: true,
            cell: ({ settled }) => (settled === null ? "—" : `${sum(settled)} ₽`),
          },
        ]}
        rows={data?.items}
        keyOf={({ coinId }) => String(coinId)}
        nameOf={({ title }) => title}
        empty="Монет нет"
        paging={{ newer: paging.newer, older: paging.older(data?.next) }}
      />
    </>
  );
}

const beforeText = ({ premiumBp, premiumBefore, fixedPriceBefore }: PromoItemView): string =>
  premiumBp === null ? `${sum(fixedPriceBefore ?? 0)} ₽` : `${points(premiumBefore)} %`;
const afterText = ({ premiumBp, fixedPrice }: PromoItemView): string =>
  premiumBp === null ? `${sum(fixedPrice ?? 0)} ₽` : `${points(premiumBp)} %`;
