/**
 * Data of a letter about the account: `new_device` after a sign-in from an unknown device to an account that was idle for long,
 * `account_deleted` after the account was deleted.
 */
export type AccountLetterData = { kind: "new_device" | "account_deleted"; about: string; email: string; at: Date };
