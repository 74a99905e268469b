import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { Dialog } from "../../ui/dialog.tsx";
import type { InDialog } from "../dialogs.tsx";
import { refreshState } from "../state.ts";
import { askForCode } from "./ask-for-code.ts";
import { clearAuthPhone, storeAuthPhone, storedAuthPhone } from "./auth-phone.ts";
import { CodeStep } from "./code-step.tsx";
import { PhoneStep } from "./phone-step.tsx";
import { ProfileStep } from "./profile-step.tsx";

export type SignInProps = {
  /** Called once the visitor is signed in and the dialog has closed. */
  onSignedIn?: () => void;
};

type Step = "phone" | "code" | "profile";
type Sent = { phone: string; resendAt: number };

const titles: Record<Step, string> = { phone: "Вход или регистрация", code: "Введите код из SMS", profile: "Завершение регистрации" };
const steps: readonly Step[] = ["phone", "code", "profile"];

// A code that was sent outlives a closed dialog: whoever comes back with the same phone goes on with it.
let lastSent: Sent | null = null;

/** Sign-in in three steps: phone, code, and for new customers name and e-mail. */
export default function SignInDialog({ isOpen, onClose, onSignedIn }: SignInProps & InDialog) {
  const [step, setStep] = useState<Step>("phone");
  const [phone, setPhone] = useState(storedAuthPhone);
  const [sent, setSent] = useState<Sent | null>(null);
  const { revalidate } = useRevalidator();
  const isSignedIn = useRef(false);

  useEffect(() => {
    if (isOpen) return;
    clearAuthPhone();
    if (isSignedIn.current) onSignedIn?.();
  }, [isOpen, onSignedIn]);

  /** Asks for a code; answers with the reason when none was sent. */
  async function requestCode(to: string): Promise<string | null> {
    const answer = await askForCode(to);
    if (answer.ok) {
      lastSent = { phone: to, resendAt: Date.now() + answer.value.resendIn * 1000 };
    } else if (answer.error.code !== "auth.too_many_codes" || lastSent?.phone !== to || lastSent.resendAt < Date.now()) {
      return answer.error.fields.phone ?? answer.error.message;
    }
    storeAuthPhone(to);
    setSent(lastSent);
    setStep("code");
    return null;
  }

  async function onKnown(isKnown: boolean): Promise<void> {
    isSignedIn.current = true;
    lastSent = null;
    await refreshState();
    void revalidate();
    if (isKnown) onClose();
    else setStep("profile");
  }

  const place = steps.indexOf(step);
  return (
    <Dialog title={titles[step]} isOpen={isOpen} onClose={onClose} className="auth">
      <p className="vh" role="status">{`Шаг ${place + 1} из 3: ${titles[step]}`}</p>
      <div className="auth__k" aria-hidden="true">{steps.map((each, index) => <i key={each} className={index <= place ? "on" : ""} />)}</div>
      {step === "phone" ? <PhoneStep phone={phone} onPhone={setPhone} requestCode={requestCode} /> : null}
      {step === "code" && sent ? (
        <CodeStep phone={sent.phone} resendAt={sent.resendAt} requestCode={requestCode} onKnown={onKnown} onChangePhone={() => setStep("phone")} />
      ) : null}
      {step === "profile" ? <ProfileStep onDone={onClose} onBack={() => setStep("code")} /> : null}
    </Dialog>
  );
}
