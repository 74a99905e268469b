import type { FormEventHandler } from "react";
import { Form } from "react-router";
import { maxLengths } from "#contract/fields.ts";
import { Field } from "../../../ui/fields/field.tsx";

/** The courier address, saved for the next order. */
export type SavedAddress = { street: string; house: string; flat: string; entrance: string; floor: string; comment: string };

type AddressFormProps = { address: SavedAddress; isBusy: boolean; onInput: FormEventHandler<HTMLFormElement> };

/** The saved address that fills in the next checkout. Saving empty fields deletes it. */
export function AddressForm({ address, isBusy, onInput }: AddressFormProps) {
  const field = (name: keyof SavedAddress) => ({ name, defaultValue: address[name] });
  return (
    <Form method="post" className="sheet-form" aria-labelledby="my-address" onInput={onInput}>
      <h2 id="my-address">Адрес для курьера</h2>
      <Field label="Улица" autoComplete="address-line1" maxLength={maxLengths.address} {...field("street")} />
      <div className="sheet-form__row">
        <Field label="Дом" maxLength={maxLengths.short} {...field("house")} />
        <Field label="Квартира" maxLength={maxLengths.short} {...field("flat")} />
        <Field label="Подъезд" maxLength={maxLengths.short} {...field("entrance")} />
        <Field label="Этаж" inputMode="numeric" maxLength={maxLengths.short} {...field("floor")} />
      </div>
      <Field label="Что передать курьеру" maxLength={maxLengths.message} {...field("comment")} />
      <div className="sheet-form__actions">
        <button className="button button--line" name="intent" value="address" disabled={isBusy}>
          Сохранить адрес
        </button>
      </div>
    </Form>
  );
}
