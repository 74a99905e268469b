import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { Dialog } from "../../ui/dialog.tsx";
import { maskedPhone, phoneDigits } from "../../ui/fields/phone.ts";
import type { OpenDialogProps, SignInProps } from "../dialogs/dialog-props.ts";
import { announce, refreshState, useVisitorState } from "../shared/visitor-state.ts";
import { clearAuthPhone, storeAuthPhone, storedAuthPhone } from "./auth-phone.ts";
import { CodeStep } from "./code-step.tsx";
import { PhoneStep } from "./phone-step.tsx";
import { emptyProfile, ProfileStep, type ProfileDraft } from "./profile-step.tsx";
import { markCodeUsed, requestCode, type CodeAnswer, type SentCode } from "./sent-code.ts";
import { useResendSeconds } from "./use-resend-seconds.ts";

type Step = "phone" | "code" | "profile";

const titles: Record<Step, string> = { phone: "Вход или регистрация", code: "Введите код из SMS", profile: "Завершение регистрации" };
const steps: readonly Step[] = ["phone", "code", "profile"];

const asTyped = (phone: string): string => (phone === "" ? "" : maskedPhone(phoneDigits(phone)));

/** Sign-in in three steps: phone, code, and for new customers name and e-mail. */
export default function SignInDialog({ isOpen, onClose, onSignedIn }: SignInProps & OpenDialogProps) {
  const [step, setStep] = useState<Step>("phone");
  const [phone, setPhone] = useState(() => asTyped(storedAuthPhone()));
  const [sent, setSent] = useState<SentCode | null>(null);
  /** The accepted code of a new customer: going back to the code step continues with it. */
  const [accepted, setAccepted] = useState<string | null>(null);
  const [profile, setProfile] = useState<ProfileDraft>(emptyProfile);
  const { revalidate } = useRevalidator();
  const resendSeconds = useResendSeconds();
  /** Whether the dialog is open when an answer arrives. */
  const isShown = useRef(isOpen);
  const isSignedIn = useRef(false);
  // Signing in in another tab closes the dialog. At first the state may be older than the end of the session that opened it.
  const isIn = useVisitorState(({ me }) => me !== null);
  const wasIn = useRef(isIn);
  const followOtherTab = useEffectEvent(() => {
    const isNews = isIn && !wasIn.current && !isSignedIn.current;
    wasIn.current = isIn;
    if (!isNews) return;
    isSignedIn.current = true;
    void revalidate();
    onClose();
  });
  useEffect(() => followOtherTab(), [isIn]);

  useEffect(() => {
    isShown.current = isOpen;
    if (isOpen) return;
    clearAuthPhone();
    if (isSignedIn.current) onSignedIn?.();
  }, [isOpen, onSignedIn]);

  async function request(to: string): Promise<CodeAnswer> {
    const answer = await requestCode(to, resendSeconds);
    if (answer.refusal === null) goOn(answer.sent);
    return answer;
  }

  function goOn(code: SentCode): void {
    if (isShown.current) storeAuthPhone(code.phone);
    setSent(code);
    setStep("code");
  }

  async function onKnown(isKnown: boolean, code: string): Promise<void> {
    isSignedIn.current = true;
    if (sent) markCodeUsed(sent);
    await refreshState();
    announce("session");
    void revalidate();
    if (isKnown) return onClose();
    setAccepted(code);
    setStep("profile");
  }

  const place = steps.indexOf(step);
  return (
    <Dialog title={titles[step]} isOpen={isOpen} onClose={onClose} className="sign-in">
      <p className="visually-hidden" role="status">{`Шаг ${place + 1} из 3: ${titles[step]}`}</p>
      <div className="sign-in__steps" aria-hidden="true">
        {steps.map((each, index) => (
          <i key={each} className={index <= place ? "is-on" : ""} />
        ))}
      </div>
      {step === "phone" ? <PhoneStep phone={phone} onPhone={setPhone} requestCode={request} onHasCode={goOn} /> : null}
      {step === "code" && sent ? (
        <CodeStep
          phone={sent.phone}
          resendAt={sent.resendAt}
          accepted={accepted}
          requestCode={request}
          onAccepted={onKnown}
          onChangePhone={() => {
            setAccepted(null);
            setStep("phone");
          }}
        />
      ) : null}
      {step === "profile" ? <ProfileStep draft={profile} onDraft={setProfile} onDone={onClose} onBack={() => setStep("code")} /> : null}
    </Dialog>
  );
}
