import { useEffect, useRef } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { useApprovalRequests } from "../ui/send/approval-requests.ts";
import { Notice } from "../ui/marks.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { usePoll } from "../shell/activity.ts";
import { actionName } from "./action-words.ts";
import { when } from "./words.ts";

const pollMs = 30_000;

/**
 * Lists the approvals that wait for a second person on the screen of their record, so that a change is not requested twice. Empty without
 * any. `area`: the first word of the audit actions that belong here (`order`); `record`: the id in the path of their calls, absent for a
 * list.
 */
export function WaitingApprovals({ area, record }: { area: string; record?: string | number }) {
  const { data, reload } = useRead(contract.readApprovals, {
    query: { area, ...(record === undefined ? {} : { record: String(record) }) },
  });
  // A decided request disappears without a reload of the screen.
  usePoll(() => {
    if (data && data.items.length > 0) void reload();
  }, pollMs);
  const asked = useApprovalRequests();
  const seen = useRef(asked);
  useEffect(() => {
    if (seen.current === asked) return;
    seen.current = asked;
    void reload();
  }, [asked, reload]);
  return (data?.items ?? []).map(({ id, action, reason, isOwn, askedBy, expiresAt }) => (
    <Notice key={id}>
      <p>
        На согласовании: {actionName(action)}. {reason}. {isOwn ? "Просили вы" : `Просит ${askedBy.name}`}, решить до {when(expiresAt)}.{" "}
        <Link to="/approvals">Согласования</Link>
      </p>
    </Notice>
  ));
}
