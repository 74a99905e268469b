import type { Kopecks } from "#kit/money.ts";
import type { CalendarDate } from "#kit/time.ts";
import { transitions } from "#kit/transitions.ts";
import type { StatementEntry, UnmatchedReason } from "#shop/orders/transfers/statement.ts";
import type { OrderError } from "#shop/orders/order.ts";

/** What the bank says about one account in a statement; sums are null when the file leaves them out. */
export type AccountTotals = {
  account: string;
  from: CalendarDate | null;
  till: CalendarDate | null;
  opening: Kopecks | null;
  received: Kopecks | null;
  spent: Kopecks | null;
  closing: Kopecks | null;
};

/** The content of a statement: its accounts, its documents, and the parts that could not be read, by the line where they begin. */
export type StatementContent = { accounts: AccountTotals[]; entries: StatementEntry[]; faults: StatementFault[] };
export type StatementFault = { line: number; what: string };

/**
 * What became of an entry. `counted`: recorded for its order by the import, or by a later one in which it had arrived ·
 * `known`: recorded before · `foreign`: not money received on the shop's account · `repeated`: an earlier statement holds the same
 * document · `left`: waits for staff · `settled`: staff chose its order · `not_ours`: not money for an order, or sent back to its sender ·
 * `to_return`: to be sent back.
 */
export const entryStates = transitions({
  counted: {},
  known: {},
  foreign: {},
  repeated: {},
  left: { arrive: "counted", settle: "settled", find_known: "known", mark_not_ours: "not_ours", mark_to_return: "to_return" },
  settled: {},
  not_ours: { reopen: "left" },
  to_return: { reopen: "left", confirm_sent: "not_ours" },
});
export type EntryState = keyof typeof entryStates;

/** Why an entry is left to staff. `failed`: processing it failed by a fault, and the other entries were processed. */
export type LeftReason = UnmatchedReason | "failed";

/** An entry of a stored statement. */
export type StoredStatementEntry = {
  id: number;
  statementId: number;
  position: number;
  entry: Omit<StatementEntry, "payeeAccounts">;
  isOutgoing: boolean;
  state: EntryState;
  reason: LeftReason | null;
  orderId: string | null;
  orderNumber: number | null;
  transferId: number | null;
  settledAt: Date | null;
  /** Who settled it, as `actorText` writes it. */
  settledBy: string | null;
  note: string;
};

/** A stored statement. `counts`: its entries by state. */
export type Statement = {
  id: number;
  fileName: string;
  importedAt: Date;
  importedBy: string;
  totals: Omit<AccountTotals, "account">;
  faults: StatementFault[];
  entryCount: number;
  counts: Readonly<Record<EntryState, number>>;
};

/** Why a file is refused as a whole. */
export type StatementError =
  | { code: "statement.not_a_statement" }
  | { code: "statement.empty" }
  | { code: "statement.other_account" }
  | { code: "statement.too_many_entries"; limit: number };

/** Why an entry is not settled. `order.entered_before`: the order has money that was entered without the bank's reference. */
export type SettleError =
  | { code: "statement.entry_not_found" }
  | { code: "statement.entry_settled"; state: EntryState }
  | { code: "order.entered_before" }
  | OrderError;

/** What a mark says about an entry that belongs to no order. */
export type EntryMark = Extract<EntryState, "not_ours" | "to_return">;

/** Combines what the bank says about the shop's account, day by day or once for all days. */
export function combineTotals(parts: readonly AccountTotals[]): Omit<AccountTotals, "account"> {
  const sum = (values: readonly (Kopecks | null)[]): Kopecks | null =>
    values.length === 0 || values.includes(null) ? null : (values.reduce<number>((total, each) => total + (each ?? 0), 0) as Kopecks);
  return {
    from: parts[0]?.from ?? null,
    till: parts.at(-1)?.till ?? null,
    opening: parts[0]?.opening ?? null,
    received: sum(parts.map((each) => each.received)),
    spent: sum(parts.map((each) => each.spent)),
    closing: parts.at(-1)?.closing ?? null,
  };
}
