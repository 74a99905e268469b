import { useEffect, useRef, useState, type FormEvent } from "react";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { fieldMessages } from "#contract/fields.ts";
import { codeLength } from "#shop/auth/sign-in.ts";
import { CodeField } from "../../ui/fields/code-field.tsx";
import { maskedPhone, phoneDigits } from "../../ui/fields/phone.ts";
import { CountdownBar } from "../../ui/countdown-bar.tsx";
import { minutesAndSeconds, useCountdown } from "../../ui/use-countdown.ts";
import { withWaitTime, type CodeAnswer } from "./sent-code.ts";
import { useResendSeconds } from "./use-resend-seconds.ts";

type CodeStepProps = {
  phone: string;
  /** When a new code may be requested, in milliseconds of the browser's clock. */
  resendAt: number;
  /** A code that was accepted before; entered again it needs no call. */
  accepted?: string | null;
  requestCode: (phone: string) => Promise<CodeAnswer>;
  onAccepted: (isKnown: boolean, code: string) => Promise<void>;
  /** Absent where the phone cannot be changed. */
  onChangePhone?: () => void;
};

/** Step 2: four digits, submitted as soon as they are complete. Enter submits again when the answer was lost. */
export function CodeStep({ phone, resendAt, accepted = null, requestCode, onAccepted: onKnown, onChangePhone }: CodeStepProps) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const left = useCountdown(resendAt);
  const resendSeconds = useResendSeconds();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  async function enter(digits: string) {
    setCode(digits);
    setError(null);
    if (digits.length < codeLength || isBusy) return;
    if (digits === accepted) return onKnown(false, digits);
    setBusy(true);
    const answer = await callApi(contract.checkCode, { body: { phone, code: digits } });
    if (answer.ok) return onKnown(answer.value, digits);
    setBusy(false);
    setError(answer.error.fields.code ?? withWaitTime(answer.error));
    input.current?.focus();
    input.current?.select();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code.length < codeLength) return setError(fieldMessages.code);
    void enter(code);
  }

  async function again() {
    setCode("");
    setError(null);
    setBusy(true);
    const { refusal } = await requestCode(phone);
    setError(refusal);
    setBusy(false);
    input.current?.focus();
  }

  return (
    <form noValidate onSubmit={submit}>
      <p>
        Четыре цифры отправили на <span className="digits">{maskedPhone(phoneDigits(phone))}</span>.{" "}
        {onChangePhone ? (
          <button className="text-button text-button--inline" type="button" onClick={onChangePhone}>
            Другой номер
          </button>
        ) : null}
      </p>
      <CodeField
        ref={input}
        label="Код из SMS"
        length={codeLength}
        value={code}
        onValue={(digits) => void enter(digits)}
        error={error}
        isBusy={isBusy}
      />
      <div className="again">
        {left > 0 ? (
          <>
            <CountdownBar left={resendSeconds > 0 ? left / resendSeconds : 0} />
            <p role="timer" aria-live="off">
              Новый код можно получить через <b className="digits">{minutesAndSeconds(left)}</b>
            </p>
          </>
        ) : (
          <button className="button button--gold button--wide" type="button" disabled={isBusy} onClick={() => void again()}>
            Получить новый код
          </button>
        )}
        <p className="visually-hidden" role="status">
          {isBusy ? "Проверяем код" : left > 0 ? "" : "Можно получить новый код"}
        </p>
      </div>
    </form>
  );
}
