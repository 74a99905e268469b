import { useState, type ClipboardEvent } from "react";
import { splitFullName } from "#shop/customers/customer.ts";
import { PhoneField } from "../../../ui/fields/phone-field.tsx";
import { openDialog, preloadDialog } from "../../dialogs/dialogs.tsx";
import { storeAuthPhone } from "../../sign-in/auth-phone.ts";
import { ContactsFields } from "../../shared/contacts-fields.tsx";
import type { BuyerDraft } from "../draft.ts";
import { contactFields, contactMistakes, fieldId, type FieldName } from "../confirm/order-errors.ts";
import { goToStep, Step } from "../step.tsx";
import type { Checkout } from "../checkout-store.ts";

/** The recipient of the order. A visitor can sign in here without losing what was typed. */
export function ContactsStep({ checkout, isSignedIn }: { checkout: Checkout; isSignedIn: boolean }) {
  const { dispatch } = checkout;
  const { draft, errors } = checkout.state;
  const [left, setLeft] = useState<Partial<Record<FieldName, boolean>>>({});
  const { user } = draft;
  const mistakes = contactMistakes(draft);

  const set = (patch: Partial<BuyerDraft>) => dispatch({ type: "contacts.changed", patch });
  /** «Иванов Иван Иванович» pasted into one field fills all three. */
  const spread = (event: ClipboardEvent<HTMLInputElement>) => {
    const whole = event.clipboardData.getData("text").trim();
    if (!/\s/.test(whole) || user.name || user.secondName) return;
    event.preventDefault();
    set(splitFullName(whole));
  };

  const field = (name: (typeof contactFields)[number]) => ({
    id: fieldId(name),
    name,
    value: user[name],
    error: errors[name] ?? (left[name] ? mistakes[name] : undefined),
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
    onBlur: () => setLeft((before) => ({ ...before, [name]: user[name] !== "" || before[name] === true })),
    ...(name === "lastName" && { onPaste: spread }),
  });

  function next() {
    setLeft(Object.fromEntries(contactFields.map((name) => [name, true])));
    const [wrong] = contactFields.filter((name) => mistakes[name]);
    if (wrong) return document.getElementById(fieldId(wrong))?.focus();
    dispatch({ type: "contacts.confirmed" });
    goToStep(2);
  }

  return (
    <Step
      number={1}
      title="Контакты"
      isDone={draft.closed.contacts}
      isOpen={!draft.closed.contacts}
      onEdit={() => dispatch({ type: "contacts.reopened" })}
      summary={
        <>
          <span>{[user.lastName, user.name, user.secondName].filter(Boolean).join(" ")}</span>
          <span className="digits">{user.phone}</span>
          <span>{user.email}</span>
        </>
      }
    >
      {isSignedIn ? null : (
        <p className="checkout-step__hint">
          Уже покупали у нас?{" "}
          <button
            className="text-button text-button--inline"
            type="button"
            aria-haspopup="dialog"
            onPointerEnter={() => preloadDialog("auth")}
            onFocus={() => preloadDialog("auth")}
            onClick={() => {
              if (user.phone) storeAuthPhone(user.phone);
              openDialog("auth", {});
            }}
          >
            Войти
          </button>{" "}
          — подставим ваши данные. Можно и без входа.
        </p>
      )}
      <div className="fields">
        <ContactsFields
          needsPassportName
          field={field}
          emailHint="Для чека и писем о заказе"
          phone={
            <PhoneField
              label="Телефон"
              required
              id={fieldId("phone")}
              name="phone"
              value={user.phone}
              onValue={(phone) => set({ phone })}
              error={errors.phone ?? (left.phone ? mistakes.phone : undefined)}
              onBlur={() => setLeft((before) => ({ ...before, phone: user.phone !== "" || before.phone === true }))}
            />
          }
        />
      </div>
      <div className="checkout-step__actions">
        <button className="button button--line" type="button" onClick={next}>
          Дальше: доставка
        </button>
        <p>Имя нужно для выдачи по паспорту.</p>
      </div>
    </Step>
  );
}
