import { useState } from "react";
import { inquiryLimits } from "#shop/inquiries/inquiry.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { PhoneField } from "../../../ui/fields/phone-field.tsx";
import type { FieldValues } from "./content-form.tsx";

/** Fields that several inquiry forms share. */
export const NameField = ({ fields, required = false }: { fields: FieldValues; required?: boolean }) => (
  <Field label="Как к вам обращаться" required={required} autoComplete="name" maxLength={inquiryLimits.name} {...fields.input("name")} />
);

export function RequiredPhoneField({ fields }: { fields: FieldValues }) {
  const [phone, setPhone] = useState(fields.value("phone"));
  return <PhoneField label="Телефон" name="phone" required value={phone} onValue={setPhone} error={fields.error("phone")} />;
}

export const EmailField = ({ fields, label, ...rest }: { fields: FieldValues; label: string; required?: boolean; hint?: string }) => (
  <Field label={label} type="email" inputMode="email" autoComplete="email" {...rest} {...fields.input("email")} />
);
