import type * as z from "zod";
import type { readRequest } from "#contract/staff/customers/requests.ts";

export type RequestCard = z.output<(typeof readRequest)["answer"]>;

export const kindWords: Readonly<Record<RequestCard["kind"], string>> = {
  callback: "обратный звонок",
  partners: "партнёрство",
  buyback: "выкуп",
};
export const stateWords: Readonly<Record<RequestCard["state"], string>> = {
  received: "новое",
  in_work: "в работе",
  answered: "отвечено",
  closed: "закрыто",
};
export const conditionWords: Readonly<Record<NonNullable<RequestCard["condition"]>, string>> = {
  perfect: "идеальное",
  good: "хорошее",
  fair: "со следами",
  damaged: "повреждения",
};
