import { fieldMessages } from "#contract/fields.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { hasLetter, isEmail, normalisePhone } from "#shop/customers/customer.ts";
import type { CheckoutDraft } from "../draft.ts";

/** Possible mistakes by the contract's field name; each belongs to one step of the page. */
export type FieldName =
  | "lastName"
  | "name"
  | "secondName"
  | "phone"
  | "email"
  | "delivery"
  | "pvzId"
  | "street"
  | "house"
  | "room"
  | "entrance"
  | "floor"
  | "message"
  | "terms"
  | "consent";
export type FieldErrors = Partial<Record<FieldName, string>>;

export const fieldTitles: Record<FieldName, string> = {
  lastName: "Фамилия",
  name: "Имя",
  secondName: "Отчество",
  phone: "Телефон",
  email: "Электронная почта",
  delivery: "Доставка",
  pvzId: "Пункт выдачи",
  street: "Улица",
  house: "Дом",
  room: "Квартира",
  entrance: "Подъезд",
  floor: "Этаж",
  message: "Комментарий",
  terms: "Условия продажи",
  consent: "Персональные данные",
};
export const contactFields = ["lastName", "name", "secondName", "phone", "email"] as const satisfies readonly FieldName[];
export const deliveryFields = [
  "delivery",
  "pvzId",
  "street",
  "house",
  "room",
  "entrance",
  "floor",
  "message",
] as const satisfies readonly FieldName[];
const all = Object.keys(fieldTitles) as FieldName[];

export function contactMistakes({ user }: CheckoutDraft): FieldErrors {
  const errors: FieldErrors = {};
  for (const part of ["lastName", "name", "secondName"] as const)
    if (user[part].trim() !== "" && !hasLetter(user[part])) errors[part] = fieldMessages.name;
  if (!user.lastName.trim()) errors.lastName = fieldMessages.required;
  if (!user.name.trim()) errors.name = fieldMessages.required;
  if (!user.phone) errors.phone = fieldMessages.required;
  else if (!normalisePhone(user.phone)) errors.phone = fieldMessages.phone;
  if (!user.email.trim()) errors.email = fieldMessages.required;
  else if (!isEmail(user.email.trim())) errors.email = fieldMessages.email;
  return errors;
}

/** Mistakes of the confirmed delivery, or of the new choice in its place. */
export function deliveryMistakes({ choice, point, address }: Pick<CheckoutDraft, "choice" | "point" | "address">): FieldErrors {
  const errors: FieldErrors = {};
  if (deliveryById(choice.deliveryId)?.hasPoint && !point) errors.pvzId = fieldMessages.point;
  if (choice.isCourier && !address.street.trim()) errors.street = fieldMessages.required;
  if (choice.isCourier && !address.house.trim()) errors.house = fieldMessages.required;
  return errors;
}

export function agreementMistakes({ agreed }: Pick<CheckoutDraft, "agreed">): FieldErrors {
  const errors: FieldErrors = {};
  if (!agreed.terms) errors.terms = "Примите условия продажи";
  if (!agreed.privacy) errors.consent = fieldMessages.consent;
  return errors;
}

/** A new choice of delivery was not confirmed: only the buyer can decide between the two. */
const openChoice = ({ anew }: CheckoutDraft): FieldErrors => (anew ? { delivery: "Подтвердите новый выбор или оставьте прежний" } : {});

export const allMistakes = (draft: CheckoutDraft): FieldErrors => ({
  ...contactMistakes(draft),
  ...openChoice(draft),
  ...deliveryMistakes(draft),
  ...agreementMistakes(draft),
});

/** The errors in the order of the page. */
export const listed = (errors: FieldErrors): [FieldName, string][] =>
  all.flatMap((name) => (errors[name] ? [[name, errors[name]] as [FieldName, string]] : []));

/** The id of a field's control, for the links of the summary. */
export const fieldId = (name: FieldName): string => `checkout-${name}`;

/** The server's messages for the fields of this page. */
export const knownFields = (fields: Record<string, string>): FieldErrors =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => (all as string[]).includes(name)));
