/** Why an account was not changed or deleted. */
export type AccountError =
  /** The last code was entered too long ago: a new code is required. */
  | { code: "account.code_needed" }
  /** Something is still to be paid, packed or handed over. */
  | { code: "account.orders_open" };
