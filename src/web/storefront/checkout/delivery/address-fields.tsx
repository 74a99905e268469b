import { maxLengths } from "#contract/fields.ts";
import { Field, type FieldProps } from "../../../ui/fields/field.tsx";
import type { AddressDraft } from "../draft.ts";

type AddressFieldsProps = {
  /** A courier comes, who needs street and house; otherwise the address may be agreed on later. */
  isCourier: boolean;
  /** The attributes of a field, with its value and what is wrong with it. */
  field: (name: keyof AddressDraft) => Omit<FieldProps, "label">;
};

/** The address to which an order is brought, with its heading; also in the checkout without scripts. */
export function AddressFields({ isCourier, field }: AddressFieldsProps) {
  return (
    <>
      <h3>{isCourier ? "Куда привезти" : "Адрес, если знаете"}</h3>
      <div className="fields fields--address">
        <Field
          label="Улица"
          autoComplete="address-line1"
          required={isCourier}
          maxLength={maxLengths.address}
          className="field--wide"
          {...field("street")}
        />
        <Field label="Дом, корпус" autoComplete="off" required={isCourier} maxLength={maxLengths.short} {...field("house")} />
        <Field label="Квартира" autoComplete="off" inputMode="numeric" maxLength={maxLengths.short} {...field("room")} />
        <Field label="Подъезд" autoComplete="off" inputMode="numeric" maxLength={maxLengths.short} {...field("entrance")} />
        <Field label="Этаж" autoComplete="off" inputMode="numeric" maxLength={maxLengths.short} {...field("floor")} />
        <Field
          label="Комментарий курьеру"
          autoComplete="off"
          maxLength={maxLengths.message}
          className="field--wide"
          {...field("message")}
        />
      </div>
    </>
  );
}
