/** A call that changes something, by the key that the client chose for one press. `hash`: method, path and body. */
export type CallKey = { staffId: number; key: string; hash: string };
/** What was answered the first time. */
export type StoredAnswer = { status: number; body: unknown };
/** Whether a key was used before: with the same request, or with another one. */
export type KeyUse = { kind: "first" } | { kind: "repeated"; answer: StoredAnswer } | { kind: "reused" };
