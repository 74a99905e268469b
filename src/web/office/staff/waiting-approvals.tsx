import { useEffect, useRef } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { useApprovalRequests } from "../ui/send/approval-requests.ts";
import { Notice } from "../ui/marks.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { showToast } from "../ui/toasts.tsx";
import { usePoll } from "../shell/activity.ts";
import { actionName } from "./action-words.ts";
import { outcomeText, whoDecides } from "./approval-words.ts";
import { when } from "./words.ts";

const pollMs = 30_000;

/**
 * Lists the approvals that wait for a second person on the screen of their record, so that a change is not requested twice, and those of the
 * viewer that ended without being done, until the viewer closes them. Empty without any. `area`: the first word of the audit actions that
 * belong here (`order`); `record`: the id in the path of their calls, absent for a list.
 */
export function WaitingApprovals({ area, record }: { area: string; record?: string | number }) {
  const { data, reload } = useRead(contract.readApprovals, {
    query: { state: "open", area, ...(record === undefined ? {} : { record: String(record) }) },
  });
  // A decided request disappears without a reload of the screen.
  usePoll(() => {
    if (data && data.items.length > 0) void reload();
  }, pollMs);
  const asked = useApprovalRequests();
  const known = useRef(asked);
  useEffect(() => {
    if (known.current === asked) return;
    known.current = asked;
    void reload();
  }, [asked, reload]);
  const seen = useSend(contract.noteSeen, { stores: "nothing" });
  const close = async (id: string) => {
    const answer = await seen.send({ params: { id } });
    if (answer?.ok) await reload();
    else if (answer?.error) showToast(answer.error.message, { isTrouble: true });
  };
  return (data?.items ?? []).map((approval) => {
    const { id, action, state, reason, isOwn, isUnseen, askedBy, expiresAt, deciders } = approval;
    if (isUnseen)
      return (
        <Notice key={id} tone="warn">
          <p>
            Не сделано: {actionName(action)}. {outcomeText(approval)} {state === "refused" ? null : "Если нужно, попросите ещё раз. "}
            <button className="text-button" type="button" disabled={seen.isBusy} onClick={() => void close(id)}>
              Понятно
            </button>
          </p>
        </Notice>
      );
    return (
      <Notice key={id}>
        <p>
          На согласовании: {actionName(action)}. {reason}. {isOwn ? `Просили вы, ${whoDecides(deciders)}` : `Просит ${askedBy.name}`}, до{" "}
          {when(expiresAt)}. <Link to={`/approvals?open=${id}`}>Согласования</Link>
        </p>
      </Notice>
    );
  });
}
