import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { fieldMessages } from "#contract/fields.ts";
import { normalisePhone } from "#shop/customers/customer.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { PhoneField } from "../../ui/fields/phone-field.tsx";
import { privacyHref } from "../shared/document-links.ts";
import type { CodeAnswer, SentCode } from "./sent-code.ts";

type PhoneStepProps = {
  phone: string;
  onPhone: (phone: string) => void;
  requestCode: (phone: string) => Promise<CodeAnswer>;
  /** The visitor already has a code: it was requested in another tab or before a reload. */
  onHasCode: (sent: SentCode) => void;
};

/** Step 1: the phone to which the code is sent. */
export function PhoneStep({ phone, onPhone, requestCode, onHasCode }: PhoneStepProps) {
  const [isBusy, setBusy] = useState(false);
  const [isLeft, setLeft] = useState(false);
  const [refused, setRefused] = useState<CodeAnswer | null>(null);
  const whole = normalisePhone(phone);
  const form = useRef<HTMLFormElement>(null);
  const toCode = useRef<HTMLButtonElement>(null);
  // The dialog sets the focus when it opens; this is for the way back from the code step.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  useEffect(() => {
    if (refused) (toCode.current ?? form.current?.querySelector("input"))?.focus(); // the pressed button was disabled meanwhile
  }, [refused]);
  const mistake = whole ? null : phone === "" ? fieldMessages.required : fieldMessages.phone;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!whole || isBusy) return;
    setBusy(true);
    setRefused(await requestCode(whole));
    setBusy(false);
  }

  /** The button is disabled while the number is incomplete: Enter sends no form, and Tab skips it. */
  function explain(event: KeyboardEvent) {
    if ((event.key === "Enter" || event.key === "Tab") && event.target instanceof HTMLInputElement) setLeft(true);
  }

  return (
    <form ref={form} noValidate onSubmit={submit} onKeyDown={explain}>
      <p>Пришлём код в SMS. Пароль не нужен: если вы у нас впервые, заведём кабинет.</p>
      <PhoneField
        label="Телефон"
        name="phone"
        required
        data-autofocus
        isErrorAnnounced
        value={phone}
        error={refused?.refusal ?? (isLeft ? mistake : null)}
        onValue={(value) => {
          onPhone(value);
          setRefused(null);
          if (normalisePhone(value)) setLeft(false);
        }}
        onBlur={(event) => {
          if (!isClosing(event.relatedTarget)) setLeft(true);
        }}
      />
      <button className="button button--gold button--wide" type="submit" disabled={!whole || isBusy} aria-describedby="auth-why">
        {isBusy ? "Отправляем…" : "Получить код"}
      </button>
      {refused?.refusal && refused.sent ? (
        <button
          className="button button--line button--wide"
          type="button"
          ref={toCode}
          onClick={() => {
            if (refused.sent) onHasCode(refused.sent);
          }}
        >
          Ввести код из SMS
        </button>
      ) : null}
      <p className="sign-in__note">
        Нажимая «Получить код», вы даёте{" "}
        <a href={consentPages.account} target="_blank" rel="noopener">
          согласие на обработку данных
        </a>{" "}
        для ведения кабинета.{" "}
        <a href={privacyHref} target="_blank" rel="noopener">
          Политика
        </a>
      </p>
      <p className="sign-in__note" id="auth-why">
        {whole ? "Номер нужен для входа и SMS о заказе." : "Введите номер целиком: десять цифр после +7."}
      </p>
    </form>
  );
}

/** Moving to the close button shows no error. */
const isClosing = (to: EventTarget | null): boolean => to instanceof HTMLElement && to.classList.contains("dialog__close");
