import type { Result } from "#kit/result.ts";
import type { AccountingContent, AccountingLists, OrderForAccounting } from "./accounting.ts";

/** The format of the accounting system's files. Calls nothing outside the process. */
export type AccountingFormat = {
  /** Refuses with a Russian sentence when the file is damaged or of another format. */
  read(bytes: Uint8Array): Promise<Result<AccountingContent, { code: "accounting.unreadable"; why: string }>>;
  orders(list: readonly OrderForAccounting[], at: Date): Buffer;
  lists(lists: AccountingLists): Buffer;
  /** Text in the encoding that the accounting system reads. */
  text(text: string): Buffer;
};
