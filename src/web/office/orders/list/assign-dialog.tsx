import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { counted } from "#kit/format.ts";
import { Modal } from "../../ui/modal.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { ColleagueSelect } from "../colleague-select.tsx";

const orderForms = ["заказ", "заказа", "заказов"] as const;

/** Gives the picked orders to a colleague, or to no one. */
export function AssignDialog({
  count,
  isBusy,
  error,
  onAssign,
  onClose,
}: {
  count: number;
  isBusy: boolean;
  /** Why nothing was assigned. */
  error: string | null | undefined;
  onAssign: (assignee: string | null) => void;
  onClose: () => void;
}) {
  const { data: colleagues = [], refusal } = useRead(contract.readOrderColleagues);
  const [assignee, setAssignee] = useState<string | null>();
  const [isMissing, setMissing] = useState(false);
  return (
    <Modal title={`Назначить ${counted(count, orderForms)}`} isOpen onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(assignee === undefined);
          if (assignee !== undefined) onAssign(assignee);
        }}
      >
        <ColleagueSelect
          colleagues={colleagues}
          value={assignee}
          isPassing
          error={isMissing ? "Выберите, кто ведёт" : (error ?? refusal?.message)}
          onChoose={(login) => {
            setMissing(false);
            setAssignee(login);
          }}
        />
        <div className="modal__foot">
          <button className="button button--gold" type="submit" disabled={isBusy}>
            Назначить
          </button>
        </div>
      </form>
    </Modal>
  );
}
