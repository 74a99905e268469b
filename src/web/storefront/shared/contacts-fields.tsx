import type { ReactNode } from "react";
import { maxLengths } from "#contract/fields.ts";
import { Field, type FieldProps } from "../../ui/fields/field.tsx";

type ContactsFieldsProps = {
  /** Name, value, error and handlers of a field. */
  field: (name: "lastName" | "name" | "secondName" | "email") => Omit<FieldProps, "label">;
  /** The parcel is handed out by passport, so the last name is required. */
  needsPassportName?: boolean;
  /** The field of the phone; absent where it cannot be changed. */
  phone?: ReactNode;
  emailHint: string;
};

/** Name, phone and e-mail of a buyer: in both kinds of checkout and in the profile. */
export function ContactsFields({ field, needsPassportName = false, phone, emailHint }: ContactsFieldsProps) {
  return (
    <>
      <Field label="Фамилия" autoComplete="family-name" required={needsPassportName} maxLength={maxLengths.name} {...field("lastName")} />
      <Field label="Имя" autoComplete="given-name" required maxLength={maxLengths.name} {...field("name")} />
      <Field
        label={needsPassportName ? "Отчество, если есть в паспорте" : "Отчество, если есть"}
        autoComplete="additional-name"
        maxLength={maxLengths.name}
        {...field("secondName")}
      />
      {phone}
      <Field
        label="Электронная почта"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        maxLength={maxLengths.email}
        hint={emailHint}
        {...field("email")}
      />
    </>
  );
}
