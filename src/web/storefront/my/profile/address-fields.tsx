import type { KeyboardEvent, ReactNode } from "react";
import { maxLengths } from "#contract/fields.ts";
import { Field } from "../../../ui/fields/field.tsx";

/** The courier address, saved for the next order. */
export type SavedAddress = Record<(typeof addressNames)[number], string>;
export const addressNames = ["street", "house", "flat", "entrance", "floor", "comment"] as const;

/** Enter would press the first button of the whole form, which saves the other part. */
function pressOwnButton(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  event.currentTarget.querySelector("button")?.click();
}

/** The saved address that fills in the next checkout, a part of the profile's form. Saving empty fields deletes it. */
export function AddressFields({ address, isBusy, children }: { address: SavedAddress; isBusy: boolean; children: ReactNode }) {
  const field = (name: keyof SavedAddress) => ({ name, defaultValue: address[name] });
  return (
    <section className="sheet-form" aria-labelledby="my-address" onKeyDown={pressOwnButton}>
      <h2 id="my-address">Адрес для курьера</h2>
      <Field label="Улица" autoComplete="address-line1" maxLength={maxLengths.address} {...field("street")} />
      <div className="sheet-form__row">
        <Field label="Дом" maxLength={maxLengths.short} {...field("house")} />
        <Field label="Квартира" maxLength={maxLengths.short} {...field("flat")} />
        <Field label="Подъезд" maxLength={maxLengths.short} {...field("entrance")} />
        <Field label="Этаж" inputMode="numeric" maxLength={maxLengths.short} {...field("floor")} />
      </div>
      <Field label="Что передать курьеру" maxLength={maxLengths.message} {...field("comment")} />
      {children}
      <div className="sheet-form__actions">
        <button className="button button--line" name="intent" value="address" disabled={isBusy}>
          Сохранить адрес
        </button>
      </div>
    </section>
  );
}
