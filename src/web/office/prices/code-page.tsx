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
import { codeStateTexts, discountText, spanText, usesText, type PromoCodeView } from "./promo-words.ts";

/** One promo code with the orders that used it, and its end. */
export function Component() {
  const { id = "" } = useParams();
  return <PromoCode key={id} id={id} />;
}

function PromoCode({ id }: { id: string }) {
  const paging = usePages();
  const { data, refusal, reload } = useRead(contract.readPromoCode, {
    params: { id },
    query: paging.cursor ? { cursor: paging.cursor } : {},
  });
  const stop = useSend(contract.stopPromoCode);
  const code = data?.code;
  const end = async () => {
    const isSure = await confirm({
      title: "Остановить промокод?",
      text: <p>Он перестанет действовать сразу и больше не включится. Оформленные заказы останутся.</p>,
      action: "Остановить",
    });
    if (!isSure) return;
    const answer = await stop.send({ params: { id } });
    if (answer?.ok) showToast("Промокод остановлен");
    await reload();
  };
  return (
    <>
      <PageHead
        title={code ? `Промокод ${code.code}` : "Промокод"}
        facts={code ? factsOf(code).join(" · ") : undefined}
        actions={
          <>
            <Link className="button" to="/prices/codes">
              Все промокоды
            </Link>
            {code && code.state !== "stopped" && code.state !== "ended" ? (
              <button className="button" type="button" disabled={stop.isBusy} onClick={() => void end()}>
                Остановить
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
      <DataTable
        caption="Заказы с промокодом"
        columns={[
          {
            key: "order",
            head: "Заказ",
            isRowHead: true,
            cell: ({ orderId, number }) => <Link to={`/orders/${orderId}`}>{number ?? orderId}</Link>,
          },
          { key: "discount", head: "Скидка", isRight: true, cell: ({ discount }) => `${sum(discount)} ₽` },
          { key: "at", head: "Когда", cell: ({ usedAt }) => when(usedAt) },
          {
            key: "returned",
            head: "Применение",
            cell: ({ returnedAt }) => (returnedAt === null ? "учтено" : `вернулось ${when(returnedAt)}: заказ отменён`),
          },
        ]}
        rows={data?.items}
        keyOf={({ orderId }) => orderId}
        nameOf={({ number, orderId }) => String(number ?? orderId)}
        empty="С этим промокодом ещё не заказывали"
        paging={{ newer: paging.newer, older: paging.older(data?.next) }}
      />
    </>
  );
}

const factsOf = (code: PromoCodeView): string[] => [
  discountText(code),
  codeStateTexts[code.state],
  `использован: ${usesText(code)}`,
  ...(code.maxUsesPerPerson === null ? [] : [`одному покупателю: ${code.maxUsesPerPerson}`]),
  ...(code.minSum > 0 ? [`от ${sum(code.minSum)} ₽`] : []),
  ...(code.coins ? [code.coins.map(({ title }) => title).join(", ")] : []),
  ...(code.categories ? [`разделы: ${code.categories.join(", ")}`] : []),
  ...(code.isWithPromos ? ["и вместе с акцией"] : []),
  spanText(code.startsAt, code.endsAt),
  `${actorText(code.createdBy)}, ${when(code.createdAt)}`,
];
