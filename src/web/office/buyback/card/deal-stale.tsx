import { when } from "../../staff/words.ts";
import { StaleDialog, type StaleField } from "../../ui/form/stale-dialog.tsx";
import { money, partText, stateLabels, type DealAct, type DealCard } from "../words.ts";

/** A change that met a newer deal: both versions, and whether it is still possible. */
export type DealStale = { fields: StaleField[]; revision: number; isPossible: boolean };

const coinsText = ({ lines }: DealCard): string =>
  lines
    .map(({ coin, offered, checked }) => {
      const part = checked ?? offered;
      return part ? `${coin.title}, ${partText(part)}` : coin.title;
    })
    .join("; ");
const documentText = ({ identity }: DealCard): string => (identity ? `записан ${when(identity.enteredAt)}` : "нет");
const receiptText = ({ receipt }: DealCard): string => (receipt ? `ФД ${receipt.documentNumber}` : "не пробит");

/** What differs between the deal that was read and the stored one. `act` null: possible in every state. */
export function staleOf(
  card: DealCard,
  { current, revision }: { current: DealCard; revision: number },
  act: DealAct | null,
  typed: readonly StaleField[] = [],
): DealStale {
  const fields = [
    { label: "Состояние", yours: stateLabels[card.state], current: stateLabels[current.state] },
    { label: "Сумма", yours: money(card.sum), current: money(current.sum) },
    { label: "Монеты", yours: coinsText(card), current: coinsText(current) },
    { label: "Документ продавца", yours: documentText(card), current: documentText(current) },
    { label: "Чек расхода", yours: receiptText(card), current: receiptText(current) },
    { label: "Ведёт", yours: card.assigneeName ?? "никто", current: current.assigneeName ?? "никто" },
  ].filter(({ yours, current: stored }) => yours !== stored);
  return { revision, isPossible: act === null || current.acts.includes(act), fields: [...fields, ...typed] };
}

/** Asks what to do about a deal that a colleague changed meanwhile. */
export function DealStaleDialog({
  stale,
  onAgain,
  onTake,
  onClose,
}: {
  stale: DealStale | null;
  onAgain: (revision: number) => void;
  onTake: () => void;
  onClose: () => void;
}) {
  return (
    <StaleDialog
      fields={stale?.fields ?? null}
      {...(stale?.isPossible
        ? { onKeepYours: () => onAgain(stale.revision) }
        : { note: "В этом состоянии сделки так больше нельзя. Введённое не записано: скопируйте его, если оно ещё нужно." })}
      onTakeCurrent={onTake}
      onClose={onClose}
    />
  );
}

/**
 * The same for a panel with a form. The present deal is read again in either case: the panel is left for it (`onLeave`), or stays open with
 * what was typed and without the refusal (`onForget`).
 */
export function PanelStaleDialog({
  stale,
  onAgain,
  onForget,
  onLeave,
  onReload,
}: {
  stale: DealStale | null;
  onAgain: (revision: number) => void;
  onForget: () => void;
  onLeave: () => void;
  onReload: () => Promise<void>;
}) {
  return (
    <DealStaleDialog
      stale={stale}
      onAgain={onAgain}
      onTake={() => {
        onLeave();
        void onReload();
      }}
      onClose={() => {
        onForget();
        void onReload();
      }}
    />
  );
}
