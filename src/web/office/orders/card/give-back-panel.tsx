import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import type { OrderCardView } from "#contract/staff/orders/orders.ts";
import { coinForms, counted } from "#kit/format.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { EditPanel } from "./edit-panels.tsx";
import { chosenPieces, PieceCounts, type Counts } from "./piece-counts.tsx";
import { piecesLeft } from "./pieces.ts";

type GiveBackProps = {
  card: OrderCardView;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
};

/** Coins that the buyer gave back go on sale again: all of them unless fewer are counted. Their money is refunded separately. */
export function GiveBackPanel({ card, onClose, onSaved, onReload }: GiveBackProps) {
  const move = useSend(contract.moveOrder);
  const [counts, setCounts] = useState<Counts>(() => Object.fromEntries(card.lines.map((line) => [line.id, piecesLeft(line)])));
  const pieces = chosenPieces(counts);
  const all = pieces.reduce((sum, { count }) => sum + count, 0);
  const save = async (revision = card.revision) => {
    if (all === 0) return;
    const answer = await move.send({ params: { id: card.id }, body: { event: "give_back", revision, pieces } });
    if (answer?.ok) await onSaved(`Принято обратно: ${counted(all, coinForms)}`);
  };
  return (
    <EditPanel
      title="Покупатель вернул"
      action="Принять"
      refusal={move.refusal}
      isBusy={move.isBusy}
      isReady={all > 0}
      compare={({ stateText }) => [{ label: "Состояние", yours: card.stateText, current: stateText }]}
      save={save}
      forget={move.forget}
      onClose={onClose}
      onReload={onReload}
    >
      <PieceCounts caption="Сколько монет вернул покупатель" lines={card.lines} maxOf={piecesLeft} counts={counts} onChange={setCounts} />
      <p className="hint">Монеты снова будут в продаже. Деньги за них возвращают отдельно: «Вернуть деньги».</p>
    </EditPanel>
  );
}
