import { useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { WaitingApprovals } from "../../staff/waiting-approvals.tsx";
import { Notice } from "../../ui/marks.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { CoinEditor } from "./coin-editor.tsx";
import { draftOf } from "./coin-draft.ts";

/** One coin: its fields, pictures and place in the shop. */
export function Component() {
  const { id = "" } = useParams();
  return <CoinCard key={id} id={id} />;
}

function CoinCard({ id }: { id: string }) {
  const { data: coin, refusal } = useRead(contract.readCoin, { params: { id } });
  const { data: form, refusal: formRefusal } = useRead(contract.readCoinForm);
  const message = refusal?.message ?? formRefusal?.message;
  if (message)
    return (
      <>
        <PageHead title="Монета" />
        <Notice tone="warn">
          <p>{message}</p>
        </Notice>
      </>
    );
  if (!coin || !form)
    return (
      <>
        <PageHead title="Монета" />
        <p role="status">Загружаем…</p>
      </>
    );
  return (
    <>
      <WaitingApprovals area="coin" record={coin.id} />
      <CoinEditor key={coin.id} coin={coin} start={draftOf(coin.facts)} form={form} />
    </>
  );
}
