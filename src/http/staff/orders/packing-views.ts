import type * as z from "zod";
import type * as contract from "#contract/staff/orders/packing.ts";
import { toRoubles } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { coinImage, currentPicture } from "#shop/catalog/image.ts";
import { isRefusedByCarrier } from "#shop/delivery/shipment.ts";
import type { LabelFile } from "#shop/delivery/labels/label.ts";
import type { OrderError } from "#shop/orders/order.ts";
import type { OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";
import { coinFacts } from "#shop/packing/documents/pick-list-pdf.ts";
import {
  destinationOf,
  linesAtTable,
  pickList,
  type Batch,
  type BatchOrder,
  type PackingError,
  type PostponeReason,
} from "#shop/packing/packing.ts";
import type { StaffRefusal } from "../endpoint.ts";
import { isoOrNull } from "../views.ts";
import { coinAsSeal } from "./order-views.ts";

type Coins = ReadonlyMap<number, Coin>;
const piecesOf = ({ lines }: OrderToPack): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

export const waitingView = ({ order, postponed }: { order: OrderToPack; postponed: PostponeReason | null }) => ({
  id: order.id,
  number: order.number,
  createdAt: isoMoscow(order.createdAt),
  destination: destinationOf(order),
  pieces: piecesOf(order),
  postponed,
});

export const labelView = ({ id, state, fault, expiresAt }: LabelFile) => ({ id, state, fault, expiresAt: isoOrNull(expiresAt) });

export function batchView(batch: Batch, coins: Coins, login: string): z.input<(typeof contract.readBatch)["answer"]> {
  return {
    id: batch.id,
    createdAt: isoMoscow(batch.createdAt),
    closedAt: isoOrNull(batch.closedAt),
    picks: pickList(batch.orders).map((pick) => ({
      coin: pick.coinId,
      title: pick.title,
      facts: coinFacts(coins.get(pick.coinId)),
      image: coinImage(currentPicture(pick), "reverse", 160),
      count: pick.pieces,
      checked: pick.checked,
      places: pick.places.map(({ place, pieces }) => ({ place, count: pieces })),
    })),
    orders: batch.orders.map((each) => batchOrder(each, coins, login)),
  };
}

const batchOrder = ({ order, place, outcome, reason, isGone, packer, checked, label }: BatchOrder, coins: Coins, login: string) => ({
  id: order.id,
  number: order.number,
  place,
  recipient: order.recipient,
  destination: destinationOf(order),
  deliveryType: order.deliveryType,
  needsSeal: order.needsSeal,
  seal: order.sealNumber,
  tracking: order.parcel?.trackingNumber ?? null,
  outcome,
  reason,
  isGone,
  packer: packer && { name: packer.name, isMe: packer.login === login },
  lines: (outcome === null ? linesAtTable(order, checked) : order.lines).map(({ coinId, title, slug, quantity }) => ({
    coin: coinId,
    title,
    facts: coinFacts(coins.get(coinId)),
    code: coins.get(coinId)?.catalogueNumber ?? String(coinId),
    image: coinImage(currentPicture({ coinId, slug }), "reverse", 160),
    count: quantity,
    checked: outcome === "packed" ? quantity : (checked.get(coinId) ?? 0),
  })),
  label: label && labelView(label),
});

export const handOverView = (order: OrderToPack, seesMoney: boolean) => ({
  id: order.id,
  number: order.number,
  deliveryType: order.deliveryType,
  destination: destinationOf(order),
  pieces: piecesOf(order),
  seal: order.sealNumber,
  needsSeal: order.needsSeal,
  tracking: order.parcel?.trackingNumber ?? null,
  isRefused: isRefusedByCarrier(order.parcel),
  ...(seesMoney && order.declaredValue !== null ? { declared: toRoubles(order.declaredValue) } : {}),
});

/** A refusal of `packing.pack`: a coin's code that was scanned as the seal is named beside the field. */
export function finishRefusal(error: PackingError | OrderError): StaffRefusal {
  const refusal = packingRefusal(error);
  if (error.code !== "packing.wrong_piece") return refusal;
  return { ...refusal, fields: { seal: `${coinAsSeal(error.title ?? "монета")}. Лишнюю монету уберите` } };
}

/** A refusal of the packing services in the contract's format. */
export function packingRefusal(error: PackingError | OrderError): StaffRefusal {
  switch (error.code) {
    case "packing.not_found":
    case "order.not_found":
      return { code: "staff.not_found" };
    case "packing.taken":
      return { code: error.code, data: { name: error.name } };
    case "packing.wrong_piece":
      return { code: error.code, data: { why: error.why, title: error.title } };
    case "packing.incomplete":
      return { code: error.code, data: { left: error.left } };
    case "order.seal_taken":
      return { code: error.code, data: { orderNumber: error.orderNumber } };
    default:
      return { code: error.code };
  }
}
