/** Why an account was not changed or deleted. */
export type AccountError =
  /** The last code was entered too long ago: whoever sits at the browser must show the phone again. */
  | { code: "account.code_needed" }
  /** Something is still to be paid, packed or handed over. */
  | { code: "account.orders_open" };
