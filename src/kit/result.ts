/** An expected refusal is a value; a bug or an outage is thrown. `code` is the code of the HTTP contract. */
export type Result<T, E extends { code: string }> = { ok: true; value: T } | { ok: false; error: E };

/** A success with its value. */
export const done = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
/** An expected refusal, `code` and what belongs to it. */
export const fail = <E extends { code: string }>(error: E): { ok: false; error: E } => ({ ok: false, error });

/** Applies `f` to a success and returns a refusal unchanged. */
export function mapOk<T, U, E extends { code: string }>(result: Result<T, E>, f: (value: T) => U): Result<U, E> {
  return result.ok ? done(f(result.value)) : result;
}
