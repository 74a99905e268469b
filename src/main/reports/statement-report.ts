import { toRoubles } from "#kit/money.ts";
import type { EntryOutcome, UnmatchedReason, StatementEntry } from "#shop/orders/transfers/statement.ts";

const reasons: Record<UnmatchedReason, string> = {
  no_order_number: "no order number in the purpose",
  no_such_order: "no order has the number in the purpose",
  several_orders: "the purpose names several orders: enter a part for each",
  number_without_match: "an order has the number, but it stands without «заказ» or «счёт», and neither sum nor payer is the order's",
  not_arrived: "the bank has not put it on the account yet",
  entered_for_another_order: "a payment order of this number, day and sum was entered by hand for another order",
  entered_without_reference: "money of this order was entered by hand without a reference: it may be this",
  not_payable_by_transfer: "this order is paid at the desk",
};

/** The result of a bank statement as lines of text: what was recorded, what was already known, and in full what staff must do by hand. */
export function reportStatement(
  entries: readonly StatementEntry[],
  outcomes: readonly EntryOutcome[],
  faults: readonly { line: number; what: string }[],
): string[] {
  const pairs = entries.flatMap((entry, index) => {
    const outcome = outcomes[index];
    return outcome ? [{ entry, outcome }] : [];
  });
  const count = (kind: EntryOutcome["kind"]) => outcomes.filter((each) => each.kind === kind).length;
  return [
    ...pairs.flatMap(({ entry, outcome }) => (outcome.kind === "foreign" ? [] : linesOf(entry, outcome))),
    ...faults.map(({ line, what }) => `FAULT    line ${line}: ${what}`),
    `${count("counted")} counted, ${count("known")} known before, ${count("left")} left to a person, ` +
      `${count("foreign")} not money for the shop's account`,
  ];
}

function linesOf({ number, date, amount, payer, purpose }: StatementEntry, outcome: Exclude<EntryOutcome, { kind: "foreign" }>): string[] {
  const head = `№ ${number} of ${date}, ${toRoubles(amount)} roubles`;
  switch (outcome.kind) {
    case "counted":
      return [`counted  ${head}: order ${outcome.orderNumber}, ${outcome.state}`];
    case "known":
      return [`known    ${head}: order ${outcome.orderNumber}`];
    case "left":
      return [`LEFT     ${head}: ${reasons[outcome.why]}`, `         ${payer}: ${purpose || "(no purpose)"}`];
  }
}
