import type * as z from "zod";
import type { readApprovals } from "#contract/staff/access/approvals.ts";
import { differences, fieldName } from "../ui/table/facts.ts";
import { factText } from "./fact-text.ts";

export type Approval = z.output<(typeof readApprovals)["answer"]>["items"][number];

export const stateWords: Readonly<Record<Approval["state"], string>> = {
  waiting: "ждёт решения",
  approved: "сделано",
  refused: "отказано",
  expired: "срок истёк",
  failed: "не получилось",
  withdrawn: "отозвано",
};

/** «Отказано, Ольга Счетова: монета цела.» */
export function outcomeText({ state, decidedBy, note }: Pick<Approval, "state" | "decidedBy" | "note">): string {
  const who = decidedBy ? `, ${decidedBy.name}` : "";
  const words = stateWords[state];
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${who}${note === "" ? "" : `: ${note.replace(/\.$/, "")}`}.`;
}

/** «решает Ольга Счетова или Олег Владельцев»; without anybody: who confirms at the server. */
export function whoDecides(deciders: readonly string[]): string {
  if (deciders.length === 0) return "решает владелец на сервере";
  if (deciders.length === 1) return `решает ${deciders[0] ?? ""}`;
  return `решает ${deciders.slice(0, -1).join(", ")} или ${deciders.at(-1) ?? ""}`;
}

/** What a request is about in one line: the order, and the fields that change. */
export function summaryOf({ action, orderNumber, shown }: Pick<Approval, "action" | "orderNumber" | "shown">): string {
  const changed = shown ? differences(shown.before, shown.after).filter((each) => each.isChanged && each.after !== "") : [];
  // First the new fields, such as the sum; the reason last.
  const rank = ({ name, before }: (typeof changed)[number]): number => (name === "reason" ? 2 : before === "" ? 0 : 1);
  const fields = changed
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ name, after }) => `${fieldName(name).toLocaleLowerCase("ru")} ${factText(action, name, after)}`);
  return [...(orderNumber === null ? [] : [`заказ ${orderNumber}`]), ...fields].join(", ");
}
