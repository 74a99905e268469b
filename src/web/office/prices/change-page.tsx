import { Link, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { actorText, when } from "../staff/words.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { coinCount, kindText, outcomeTexts, pricesText, stateText } from "./words.ts";

/** One price change with its coins before and after, and its undoing. */
export function Component() {
  const { id = "" } = useParams();
  return <PriceChange key={id} id={id} />;
}

function PriceChange({ id }: { id: string }) {
  const paging = usePages();
  const { data, refusal, reload } = useRead(contract.readPriceChange, {
    params: { id },
    query: paging.cursor ? { cursor: paging.cursor } : {},
  });
  const undo = useSend(contract.undoPriceChange);
  const change = data?.change;
  const giveBack = async () => {
    const answer = await undo.send({ params: { id } });
    if (!answer?.ok) return;
    showToast(`Прежние цены вернулись: ${coinCount(answer.value.changed)}`);
    if (answer.value.stale > 0) showToast(`${coinCount(answer.value.stale)}: цены с тех пор меняли, они остались`, { isTrouble: true });
    await reload();
  };
  const facts = change
    ? [
        change.label,
        stateText(change),
        `${actorText(change.createdBy)}, ${when(change.createdAt)}`,
        ...(change.dueAt ? [`на ${when(change.dueAt)}`] : []),
        ...(change.approvalReason ? [`согласовано: ${change.approvalReason}`] : []),
      ]
    : [];
  return (
    <>
      <PageHead
        title={change ? kindText(change) : "Изменение цен"}
        facts={facts.filter(Boolean).join(" · ")}
        actions={
          <>
            <Link className="button" to="/prices/changes">
              Все изменения
            </Link>
            {change?.state === "applied" && change.changed > 0 ? (
              <button className="button" type="button" disabled={undo.isBusy} onClick={() => void giveBack()}>
                Вернуть прежние цены
              </button>
            ) : null}
          </>
        }
      />
      {(refusal ?? undo.refusal) ? (
        <Notice tone="warn">
          <p>{(refusal ?? undo.refusal)?.message}</p>
        </Notice>
      ) : null}
      {change?.refusal ? (
        <Notice tone="warn">
          <p>Не применено: {change.refusal}. Измените цены заново, и второй человек подтвердит.</p>
        </Notice>
      ) : null}
      <DataTable
        caption="Монеты изменения"
        columns={[
          { key: "coin", head: "Монета", isRowHead: true, isCut: true, cell: ({ title }) => title },
          {
            key: "before",
            head: "Было",
            isRight: true,
            cell: (item) => <span className="from">{pricesText(item.before, isFixed(item))}</span>,
          },
          {
            key: "after",
            head: "Стало",
            isRight: true,
            cell: (item) => <span className="after-value">{pricesText(item.after, isFixed(item))}</span>,
          },
          {
            key: "outcome",
            head: "Итог",
            cell: ({ outcome }) =>
              outcome === "stale" || outcome === "out_of_range" ? <Trouble>{outcomeTexts[outcome]}</Trouble> : outcomeTexts[outcome],
          },
        ]}
        rows={data?.items}
        keyOf={({ coinId }) => String(coinId)}
        nameOf={({ title }) => title}
        isTrouble={({ outcome }) => outcome === "stale" || outcome === "out_of_range"}
        empty="Монет нет"
        paging={{ newer: paging.newer, older: paging.older(data?.next) }}
      />
    </>
  );
}

const isFixed = ({ before, after }: { before: { fixedPrice: number | null }; after: { fixedPrice: number | null } }): boolean =>
  before.fixedPrice !== null || after.fixedPrice !== null;
