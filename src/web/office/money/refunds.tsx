import { useEffect, useRef, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { RefundTransferPanel, type RefusedRefund } from "../orders/card/refund-transfer-panel.tsx";
import { useStaff } from "../session.ts";
import { useIsPressed } from "../shell/pressed.ts";
import { when } from "../staff/words.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { WithPanel } from "../ui/panel.tsx";
import { useAddressParams } from "../ui/table/address-params.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Trouble } from "../ui/marks.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { OrderLinks } from "./order-links.tsx";
import { causeText, refundTexts, sum, type RefundView } from "./words.ts";

/** Refunds that wait: where to send the money, «sent», another try, or the transfer by which a refused one was paid. */
export function Refunds({ onChange }: { onChange: () => Promise<void> }) {
  const { may } = useStaff();
  const [mayEnter, mayRefund] = [may("money.enter") !== null, may("orders.refund") !== null];
  const [paid, setPaid] = useState<RefusedRefund | null>(null);
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readRefunds, { query: cursor === undefined ? {} : { cursor } });
  const sent = useSend(contract.confirmRefundSent);
  const retry = useSend(contract.retryRefund);
  const act = async ({ id, why, amount, payer }: RefundView) => {
    if (why === "by_hand") {
      const text = `${sum(amount)} ₽, ${payer.name}${payer.account ? `, счёт ${payer.account}` : ""}`;
      if (!(await confirm({ title: "Деньги отправлены?", text, action: "Да, отправлены" }))) return;
    }
    const answer = await (why === "by_hand" ? sent : retry).send({ params: { id } });
    if (answer?.ok) showToast(why === "by_hand" ? "Возврат закрыт" : "Пробуем ещё раз");
    else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
    await Promise.all([reload(), onChange()]);
  };
  // Pressed under «Ждёт», where it was the only one: the question opens at once.
  const isPressed = useIsPressed();
  const [params, changeParams] = useAddressParams();
  const isAsked = useRef(false);
  const named = data?.items.find(({ id, why }) => id === params.get("refund") && why === "by_hand");
  useEffect(() => {
    if (!isPressed || !named || !mayEnter || isAsked.current) return;
    isAsked.current = true;
    changeParams((next) => next.delete("refund"), { replace: true, state: null });
    void act(named);
  });
  const payByTransfer = ({ id, order, amount }: RefundView) =>
    leavePanel(() => setPaid({ id, orderId: order.id, orderNumber: order.number, owed: amount }));
  const saved = async (text: string) => {
    setPaid(null);
    showToast(text);
    await Promise.all([reload(), onChange()]);
  };
  return (
    <WithPanel panel={paid ? <RefundTransferPanel key={paid.id} refund={paid} onClose={() => setPaid(null)} onSaved={saved} /> : null}>
      <DataTable<RefundView>
        caption="Возвраты, которые ждут, старые сверху"
        columns={[
          { key: "at", head: "С", cell: ({ createdAt }) => <span className="number soft">{when(createdAt)}</span> },
          {
            key: "order",
            head: "Заказ",
            isRowHead: true,
            cell: ({ order }) => <OrderLinks order={order} />,
          },
          { key: "amount", head: "Сумма, ₽", isRight: true, cell: ({ amount }) => <span className="number strong">{sum(amount)}</span> },
          {
            key: "why",
            head: "Что делать",
            cell: ({ why }) => (why === "by_hand" ? refundTexts[why] : <Trouble>{refundTexts[why]}</Trouble>),
          },
          { key: "cause", head: "Почему", cell: ({ cause }) => <span className="soft">{causeText(cause)}</span>, isWideOnly: true },
          {
            key: "payer",
            head: "Кому",
            isCut: true,
            cell: ({ payer }) => (
              <>
                {payer.name} <span className="muted number">{[payer.account, payer.transfer].filter(Boolean).join(", ")}</span>
              </>
            ),
          },
          {
            key: "act",
            head: "Действие",
            isHeadHidden: true,
            cell: (row) => (
              <>
                {mayEnter ? (
                  <button
                    className="button button--small"
                    type="button"
                    disabled={sent.isBusy || retry.isBusy}
                    onClick={() => void act(row)}
                  >
                    {row.why === "by_hand" ? "Отправлено" : row.why === "refused" ? "Отправить снова" : "Проверить сейчас"}
                  </button>
                ) : null}{" "}
                {mayRefund && row.why === "refused" ? (
                  <button className="button button--small" type="button" onClick={() => void payByTransfer(row)}>
                    Вернули переводом
                  </button>
                ) : null}
              </>
            ),
          },
        ]}
        rows={data?.items}
        keyOf={({ id }) => id}
        nameOf={({ order }) => order.number}
        isTrouble={({ why }) => why !== "by_hand"}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Возвраты не ждут"
        paging={{ newer, older: older(data?.next) }}
      />
    </WithPanel>
  );
}
