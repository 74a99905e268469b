import type * as contract from "#contract/staff/calls.ts";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import type { AnswerOf } from "../../client.ts";
import type { StaleField } from "../../ui/form/stale-dialog.tsx";

/** The recipient and the address of an order in full; reading them is recorded. */
export type Contacts = AnswerOf<StaffEntryOf<typeof contract.openContacts>>;

/** The fields of the recipient, in the order of the panel. */
export const personLabels = { lastName: "Фамилия", name: "Имя", secondName: "Отчество", phone: "Телефон", email: "Почта" } as const;
export type Person = Readonly<Record<keyof typeof personLabels, string>>;

/** The fields of the address that can be changed; the city stays. */
export const addressLabels = {
  street: "Улица",
  house: "Дом",
  room: "Квартира",
  entrance: "Подъезд",
  floor: "Этаж",
  message: "Комментарий курьеру",
} as const;
export type Address = Readonly<Record<keyof typeof addressLabels, string>>;
export const noAddress: Address = { street: "", house: "", room: "", entrance: "", floor: "", message: "" };

/** An address as one line, without the comment to the courier. */
export const addressText = ({ city, street, house, room, entrance, floor }: NonNullable<Contacts["address"]>): string =>
  [city, street, house && `д. ${house}`, room && `кв. ${room}`, entrance && `подъезд ${entrance}`, floor && `этаж ${floor}`]
    .filter(Boolean)
    .join(", ");

/** The fields that differ between what is shown here and what the server has now, both versions as they are. */
export function differing<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  yours: Readonly<Record<Name, string>>,
  current: Readonly<Record<Name, string>>,
): StaleField[] {
  return (Object.keys(labels) as Name[]).flatMap((name) =>
    yours[name].trim() === current[name].trim()
      ? []
      : [{ label: labels[name], yours: yours[name] || "пусто", current: current[name] || "пусто" }],
  );
}
