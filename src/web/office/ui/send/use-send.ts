import { useEffect, useRef, useState } from "react";
import type { StaffCallRef, StaffEntryOf } from "#contract/staff/calls.ts";
import { callStaff, newKey, type StaffCallInput, type StaffRefusal, type StaffRefusalOf, type StaffResult } from "../../client.ts";
import { noteApprovalRequested } from "./approval-requests.ts";
import { focusFirstWrong, lostMessages } from "../form/first-wrong.ts";
import { showToast } from "../toasts.tsx";
import { forgetTyped, formInUse } from "../form/unsaved.ts";

/**
 * Which fields count as saved once the change succeeds, so that leaving the screen does not warn about them: those of the form that it was
 * sent from, those of the whole screen, or none. A button outside a form saves none unless it is `screen`.
 */
type Stores = "form" | "screen" | "nothing";

/**
 * Sends a change from a form or a button. The `Idempotency-Key` stays the same until the change has succeeded, so that a retry after a lost
 * connection is not executed twice; while a change is being sent, `send` does nothing and returns null. Another record (`params`) gets
 * another key, and a key that the server has stored with other data is replaced. Show `refusal` and `fields` beside the fields, which keep
 * what was typed; the first invalid field gets the focus. A message of a field that the screen does not have is shown as a toast. A button
 * that lost the focus because it was disabled meanwhile gets it back. A change that waits for approval is announced by a toast.
 */
export function useSend<Ref extends StaffCallRef>(call: Ref, { stores = "form" }: { stores?: Stores } = {}) {
  type Result = StaffResult<StaffEntryOf<Ref>>;
  const key = useRef<{ value: string; record: string } | null>(null);
  const isSending = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<StaffRefusal | null>(null);
  const form = useRef<Element | null>(null);
  const isStale = useRef(false);
  const pressed = useRef<Element | null>(null);
  useEffect(() => {
    if (!refusal || Object.keys(refusal.fields).length === 0) return;
    focusFirstWrong(form.current);
    // After the screen has rendered what it does with the refusal.
    const look = setTimeout(() => {
      const lost = lostMessages(refusal.fields, document.body.textContent);
      if (lost.length > 0) showToast(`${refusal.message}. ${lost.join(". ")}`, { isTrouble: true });
    }, 0);
    return () => clearTimeout(look);
  }, [refusal]);
  useEffect(() => {
    if (isBusy || !(pressed.current instanceof HTMLElement)) return;
    if (document.activeElement === document.body && pressed.current.isConnected) pressed.current.focus({ preventScroll: true });
    pressed.current = null;
  }, [isBusy]);
  const send = async (input: Omit<StaffCallInput<StaffEntryOf<Ref>>, "key" | "signal">): Promise<Result | null> => {
    if (isSending.current) return null; // also a second press before the button is drawn as disabled
    isSending.current = true;
    const record = JSON.stringify((input as { params?: unknown }).params ?? null);
    if (key.current?.record !== record) key.current = { value: newKey(), record };
    // «Сохранить моё» is pressed in a dialog, and stores what the form behind it holds.
    if (!isStale.current || !form.current?.isConnected) form.current = formInUse();
    pressed.current = document.activeElement === document.body ? null : document.activeElement;
    setBusy(true);
    setRefusal(null);
    const plain = callStaff as (call: string, input: object) => Promise<unknown>;
    const result = (await plain(call, { ...input, key: key.current.value })) as Result;
    isSending.current = false;
    setBusy(false);
    isStale.current = !result.ok && result.error?.code === "staff.stale";
    if (result.ok || result.error === null) {
      const stored = stores === "screen" ? document : stores === "form" ? form.current : null;
      if (stored) forgetTyped(stored);
    }
    if (result.ok || result.error === null || result.error.code === "staff.key_reused") key.current = null;
    if (!result.ok && result.error) setRefusal(result.error as StaffRefusal);
    if (!result.ok && result.waitsForApproval) {
      showToast(`Ждёт второго человека. ${result.waitsForApproval.reason}`);
      noteApprovalRequested();
    }
    return result;
  };
  // The compiler does not follow the type of a generic call into the state.
  const typed = refusal as StaffRefusalOf<StaffEntryOf<Ref>> | null;
  return { send, isBusy, refusal: typed, fields: refusal?.fields ?? {}, forget: () => setRefusal(null) };
}
