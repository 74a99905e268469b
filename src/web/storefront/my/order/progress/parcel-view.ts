import type { ParcelEvent, ShipmentState } from "#shop/delivery/shipment.ts";

/** Texts for the carrier's status codes, of both API generations. CDEK, status list of API v2 and the official plugin. */
const words: Readonly<Record<string, string>> = {
  CREATED: "СДЭК принял заявку",
  RECEIVED_AT_SHIPMENT_WAREHOUSE: "Принят в СДЭК",
  READY_TO_SHIP_AT_SENDING_OFFICE: "Готов к отправке",
  READY_FOR_SHIPMENT_IN_SENDER_CITY: "Готов к отправке",
  PASSED_TO_CARRIER_AT_SENDING_OFFICE: "Выехал",
  TAKEN_BY_TRANSPORTER_FROM_SENDER_CITY: "Выехал",
  TAKEN_BY_TRANSPORTER_FROM_SENDER_CIT: "Выехал",
  SEND_TO_TRANSIT_OFFICE: "Едет через другой город",
  SENT_TO_TRANSIT_CITY: "Едет через другой город",
  MET_AT_TRANSIT_OFFICE: "Прибыл в город по пути",
  ACCEPTED_IN_TRANSIT_CITY: "Прибыл в город по пути",
  SEND_TO_RECIPIENT_OFFICE: "Едет в ваш город",
  SENT_TO_RECIPIENT_CITY: "Едет в ваш город",
  MET_AT_RECIPIENT_OFFICE: "Прибыл в ваш город",
  ACCEPTED_IN_RECIPIENT_CITY: "Прибыл в ваш город",
  ACCEPTED_AT_RECIPIENT_CITY_WAREHOUSE: "Прибыл в ваш город",
  ACCEPTED_AT_PICK_UP_POINT: "Ждёт вас в пункте выдачи",
  ACCEPTED_AT_WAREHOUSE_ON_DEMAND: "Ждёт вас в пункте выдачи",
  POSTOMAT_POSTED: "Ждёт вас в постамате",
  TAKEN_BY_COURIER: "Передан курьеру",
  ISSUED_FOR_DELIVERY: "Передан курьеру",
  DELIVERED: "Вручён",
  POSTOMAT_RECEIVED: "Получен из постамата",
  NOT_DELIVERED: "Не вручён, возвращается",
  POSTOMAT_SEIZED: "Изъят из постамата, возвращается",
  RETURNED_TO_SENDER_CITY_WAREHOUSE: "Возвращается в магазин",
};

/** The text of one status: the shop's own, else the carrier's if it is Russian, else «В пути». */
export const stepText = ({ code, name }: Pick<ParcelEvent, "code" | "name">): string =>
  words[code] ?? (/[а-яё]/i.test(name) ? name : "В пути");

const kept: ReadonlySet<string> = new Set(["ACCEPTED", "INVALID", "REMOVED"]);

export type ParcelView = {
  number: string | null;
  isBehind: boolean;
  heardAt: Date | null;
  note: string | null;
  steps: { text: string; city: string; at: Date }[];
};

/** The parcel as the order's page shows it, newest status first; internal statuses are left out. */
export function parcelView({
  trackingNumber,
  isBehind,
  heardAt,
  state,
  steps,
}: {
  trackingNumber: string | null;
  isBehind: boolean;
  heardAt: Date | null;
  state: ShipmentState;
  steps: readonly ParcelEvent[];
}): ParcelView {
  return {
    number: trackingNumber,
    isBehind,
    heardAt,
    note: state === "invalid" ? "Уточняем адрес доставки и скоро вам позвоним." : null,
    steps: steps
      .filter(({ code }) => !kept.has(code))
      .map((step) => ({ text: stepText(step), city: step.city, at: step.at }))
      .toReversed(),
  };
}
