import { deliveryTexts } from "#contract/texts.ru.ts";
import { daySpan } from "#kit/format.ts";
import { arrivalSpan } from "#shop/delivery/arrival.ts";
import type { DeliveryName } from "#shop/delivery/delivery.ts";
import type { IconName } from "../../../ui/icon.tsx";

type Words = { note: string; icon: IconName; pay: string };
const toPoint: Words = { note: "выдадут по паспорту, хранят 7 дней", icon: "box", pay: "Доставка, пункт СДЭК" };
const toLocker: Words = { note: "код придёт в SMS", icon: "locker", pay: "Доставка, постамат СДЭК" };
const toDoor: Words = { note: "лично в руки, по паспорту", icon: "truck", pay: "Доставка, курьер СДЭК" };

const words: Record<DeliveryName, Words> = {
  pickup_point: toPoint,
  free_pickup_point: toPoint,
  locker: toLocker,
  free_locker: toLocker,
  courier: toDoor,
  free_courier: toDoor,
  office: { note: "монеты осмотрите на месте", icon: "door", pay: "Получение в офисе" },
  special: { note: "вооружённая перевозка, для крупных заказов", icon: "shield", pay: "Спецсвязь" },
};

/** Texts of a way of delivery: its name, a remark, its line in the total. */
export const textsOfDelivery = (name: DeliveryName): Words & { name: string } => ({ ...words[name], name: deliveryTexts[name] });

/** Street, house and flat in one line. */
export const placeText = ({ street, house, room }: { street: string; house: string; room: string }): string =>
  [street, house, room && `кв. ${room}`].filter(Boolean).join(", ");

/** The delivery dates, counted in working days from today (`now`, Moscow): «24–25 ноября»; null while they are not known. */
export function daysText(now: Date, minDays: number | null, maxDays: number | null): string | null {
  if (maxDays === 0) return "в часы работы";
  const span = arrivalSpan(now, { minDays, maxDays });
  return span && daySpan(span.first, span.last);
}
