import { useEffect, useRef, useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { maskedPhone, phoneDigits } from "../../ui/fields/phone.ts";
import type { OpenDialogProps, ConfirmPhoneProps } from "../dialogs/dialog-props.ts";
import { CodeStep } from "./code-step.tsx";
import { markCodeUsed, requestCode, type CodeAnswer, type SentCode } from "./sent-code.ts";
import { useResendSeconds } from "./use-resend-seconds.ts";

/** Confirms the phone again by a code. A recently entered code allows actions that an old session does not. */
export default function ConfirmPhoneDialog({ phone, reason, onConfirmed, isOpen, onClose }: ConfirmPhoneProps & OpenDialogProps) {
  const [sent, setSent] = useState<SentCode | null>(null);
  const [refused, setRefused] = useState<CodeAnswer | null>(null);
  const [isBusy, setBusy] = useState(false);
  const resendSeconds = useResendSeconds();
  const isProved = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused) [...(form.current?.querySelectorAll("button") ?? [])].at(-1)?.focus(); // the pressed button was disabled meanwhile
  }, [refused]);

  useEffect(() => {
    if (!isOpen && isProved.current) onConfirmed();
  }, [isOpen, onConfirmed]);

  async function request(): Promise<CodeAnswer> {
    setBusy(true);
    const answer = await requestCode(phone, resendSeconds);
    setBusy(false);
    if (answer.refusal === null) setSent(answer.sent);
    else setRefused(answer);
    return answer;
  }

  async function onKnown(): Promise<void> {
    isProved.current = true;
    if (sent) markCodeUsed(sent);
    onClose();
  }

  return (
    <Dialog title={sent ? "Введите код из SMS" : "Подтвердите, что это вы"} isOpen={isOpen} onClose={onClose} className="sign-in">
      {sent ? (
        <CodeStep phone={phone} resendAt={sent.resendAt} requestCode={request} onAccepted={onKnown} />
      ) : (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void request();
          }}
        >
          <p>
            {reason} Пришлём код на <span className="digits">{maskedPhone(phoneDigits(phone))}</span>.
          </p>
          <p className="error" role="alert">
            {refused?.refusal ?? ""}
          </p>
          <button className="button button--gold button--wide" type="submit" disabled={isBusy} data-autofocus>
            {isBusy ? "Отправляем…" : "Получить код"}
          </button>
          {refused?.sent ? (
            <button className="button button--line button--wide" type="button" onClick={() => setSent(refused.sent)}>
              Ввести код из SMS
            </button>
          ) : null}
        </form>
      )}
    </Dialog>
  );
}
