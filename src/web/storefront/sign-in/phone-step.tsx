import { useState, type FormEvent } from "react";
import { fieldMessages } from "#contract/fields.ts";
import { normalisePhone } from "#shop/customers/customer.ts";
import { PhoneField } from "../../ui/phone-field.tsx";

type PhoneStepProps = { phone: string; onPhone: (phone: string) => void; requestCode: (phone: string) => Promise<string | null> };

/** Step 1: the phone to which the code goes. */
export function PhoneStep({ phone, onPhone, requestCode }: PhoneStepProps) {
  const [isBusy, setBusy] = useState(false);
  const [isLeft, setLeft] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const whole = normalisePhone(phone);
  const mistake = whole ? null : phone === "" ? fieldMessages.required : fieldMessages.phone;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!whole || isBusy) return;
    setBusy(true);
    setRefusal(await requestCode(whole));
    setBusy(false);
  }

  return (
    <form noValidate onSubmit={submit}>
      <p>Пришлём код в SMS. Пароль не нужен: если вы у нас впервые, заведём кабинет.</p>
      <PhoneField
        label="Телефон" name="phone" required data-autofocus value={phone} error={refusal ?? (isLeft ? mistake : null)}
        onValue={(value) => { onPhone(value); setRefusal(null); if (normalisePhone(value)) setLeft(false); }}
        onBlur={(event) => { if (!isClosing(event.relatedTarget)) setLeft(true); }}
      />
      <button className="btn btn--gold btn--wide" type="submit" disabled={!whole || isBusy} aria-describedby="auth-why">
        {isBusy ? "Отправляем…" : "Получить код"}
      </button>
      <p className="auth__note" id="auth-why">{whole ? "Номер нужен для входа и вестей о заказе." : "Введите номер целиком: десять цифр после +7."}</p>
    </form>
  );
}

/** Leaving the field for the close button is no reason to complain. */
const isClosing = (to: EventTarget | null): boolean => to instanceof HTMLElement && to.classList.contains("dlg__x");
