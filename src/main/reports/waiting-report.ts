import type { WaitingOrderView } from "#contract/demo.ts";

const words: Record<WaitingOrderView["why"], string> = {
  unsealed: "packed, the number of its seal is not entered: order <id> seal <number>",
  cancellation: "cancellation requested, the carrier decides",
  repacking: "parcel recalled, to be packed again without the refunded pieces",
  returning: "on its way back",
  return_late: "on its way back for too long: claim it from the carrier",
  unsettled: "came back, its money is undecided: refund, or a part of it",
};

/** What `desk -- waiting` prints of an order. */
export function reportWaiting({ id, number, why, since, recall, tracking, lastStep }: WaitingOrderView): string {
  const parcel = [
    tracking === null ? null : `parcel ${tracking}`,
    recall === null ? null : `recall ${recall}`,
    lastStep && `${lastStep.code} ${lastStep.city} ${lastStep.at}`,
  ].filter((each) => each !== null);
  return [`order ${id}  №${number}  since ${since}  ${words[why]}`, ...(parcel.length > 0 ? [parcel.join(", ")] : [])].join("\n  ");
}
