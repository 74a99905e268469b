import { useState, type SyntheticEvent } from "react";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../client.ts";
import { answerPrompt, updateMe, useSession, useStaff } from "../session.ts";
import { Field } from "../ui/form/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/marks.tsx";
import { Modal } from "../ui/modal.tsx";
import { useSend } from "../ui/send/use-send.ts";
import { signWithPasskey } from "./passkey.ts";
import { SignInWays } from "./sign-in-form.tsx";

/**
 * Over the screen when a call was refused for the session or the second factor. The screen behind keeps everything; the call is repeated
 * after it.
 */
export function PromptOverlay() {
  const { prompt } = useSession();
  const { email } = useStaff();
  return (
    <>
      <Modal title="Войдите ещё раз" isOpen={prompt === "sign_in"} onClose={() => answerPrompt(false)} isWide>
        <p className="soft">Сеанс закончился. Введённое на экране сохранено.</p>
        <div className="sign-in-frame__inside sign-in-frame__inside--overlay">
          <SignInWays email={email} />
        </div>
      </Modal>
      <Modal title="Подтвердите, что это вы" isOpen={prompt === "step_up"} onClose={() => answerPrompt(false)}>
        <StepUp />
      </Modal>
    </>
  );
}

function StepUp() {
  const { factors } = useStaff();
  const { send, isBusy, refusal, fields, forget } = useSend(contract.stepUp);
  const [code, setCode] = useState("");
  // Who has only a passkey has no application, and may have lost the passkey.
  const [hasApp, hasRecovery] = [factors.includes("code"), factors.includes("recovery")];
  const [isRecovery, setRecovery] = useState(!hasApp);
  const [problem, setProblem] = useState("");
  const confirm = async (body: Parameters<typeof send>[0]["body"]) => {
    setProblem("");
    const answer = await send({ body });
    if (!answer?.ok) return;
    updateMe({ verifiedUntil: answer.value.verifiedUntil });
    answerPrompt(true);
  };
  const byPasskey = async () => {
    setProblem("");
    const options = await callStaff(contract.readStepUpOptions);
    if (!options.ok) return setProblem(options.error.message);
    const signed = await signWithPasskey(options.value);
    if (!signed.ok) return setProblem(signed.error.message);
    await confirm({ by: "passkey", credential: signed.value });
  };
  const toggle = () => {
    setRecovery(!isRecovery);
    setCode("");
    forget();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void confirm(isRecovery ? { by: "recovery", recoveryCode: code } : { by: "code", code });
  };
  const message = problem || (refusal && Object.keys(fields).length === 0 ? refusal.message : "");
  return (
    <div className="step-up">
      <p className="soft">Деньги, персональные данные, сотрудники и настройки открыты пять минут после подтверждения.</p>
      {message ? (
        <Notice tone="warn">
          <p>{message}</p>
        </Notice>
      ) : null}
      {factors.includes("demo") ? (
        <button className="button button--gold" type="button" disabled={isBusy} onClick={() => void confirm({ by: "demo" })}>
          Подтвердить (демонстрация)
        </button>
      ) : null}
      {factors.includes("passkey") ? (
        <button
          className={factors.includes("demo") ? "button" : "button button--gold"}
          type="button"
          disabled={isBusy}
          onClick={() => void byPasskey()}
        >
          <Icon name="key" /> Подтвердить ключом
        </button>
      ) : null}
      {hasApp || hasRecovery ? (
        <form onSubmit={submit} noValidate>
          <Field
            label={isRecovery ? "Запасной код, 12 знаков" : "Код из приложения, 6 цифр"}
            inputMode={isRecovery ? "text" : "numeric"}
            autoComplete="one-time-code"
            value={code}
            error={fields["code"] ?? fields["recoveryCode"]}
            onChange={(event) => setCode(event.target.value)}
          />
          <div className="modal__foot">
            <button className="button" type="submit" disabled={isBusy}>
              Подтвердить кодом
            </button>
            {hasApp && hasRecovery ? (
              <button className="button button--quiet" type="button" onClick={toggle}>
                {isRecovery ? "Код из приложения" : "Запасной код"}
              </button>
            ) : null}
          </div>
        </form>
      ) : null}
    </div>
  );
}
