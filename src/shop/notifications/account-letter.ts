/** What an account's owner is told by letter: a sign-in from a browser that was never here after a long time; that the account is deleted. */
export type AccountNotice = { kind: "new_device" | "account_deleted"; about: string; email: string; at: Date };
