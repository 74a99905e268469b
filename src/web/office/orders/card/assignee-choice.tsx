import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import type { OrderCardView } from "#contract/staff/orders/orders.ts";
import { StaleDialog, type StaleField } from "../../ui/form/stale-dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { ColleagueSelect } from "../colleague-select.tsx";

type Stale = { assignee: string | null; revision: number; fields: StaleField[] };

/** The assignee of the order: a colleague, or no one. Saved as soon as it is chosen. */
export function AssigneeChoice({ card, onReload }: { card: OrderCardView; onReload: () => Promise<void> }) {
  const { data: colleagues = [] } = useRead(contract.readOrderColleagues);
  const { send, isBusy, refusal, fields } = useSend(contract.assignOrder);
  const [stale, setStale] = useState<Stale | null>(null);
  const nameOf = (login: string | null) => (login === null ? "никто" : (colleagues.find((each) => each.login === login)?.name ?? login));
  const save = async (assignee: string | null, revision = card.revision) => {
    setStale(null);
    const answer = await send({ params: { id: card.id }, body: { revision, assignee } });
    if (answer?.ok) {
      showToast(`Ведёт: ${nameOf(assignee)}`);
      await onReload();
    } else if (answer?.error?.code === "staff.stale") {
      const { current, revision: newer } = answer.error.data;
      setStale({
        assignee,
        revision: newer,
        fields: [
          { label: "Состояние", yours: card.stateText, current: current.stateText },
          { label: "Ведёт", yours: nameOf(assignee), current: current.assigneeName ?? "никто" },
        ],
      });
    }
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <ColleagueSelect
        colleagues={colleagues}
        value={card.assignee}
        storedName={card.people.find(({ login }) => login === card.assignee)?.name ?? null}
        isDisabled={isBusy}
        error={fields["assignee"] ?? (stale ? null : refusal?.message)}
        onChoose={(assignee) => void save(assignee)}
      />
      <StaleDialog
        fields={stale?.fields ?? null}
        onKeepYours={() => stale && void save(stale.assignee, stale.revision)}
        onTakeCurrent={() => {
          setStale(null);
          void onReload();
        }}
        onClose={() => setStale(null)}
      />
    </form>
  );
}
