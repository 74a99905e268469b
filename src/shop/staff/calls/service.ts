import type { Db, Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import type { CallKey, KeyUse, StoredAnswer } from "./call-key.ts";
import * as rows from "./repository.ts";

type Sealing = Pick<Ctx, "secrets" | "now">;

/** Whether this key was answered before; takes no lock. */
export async function findAnswer(db: Db, ctx: Sealing, call: CallKey): Promise<KeyUse> {
  const row = await rows.find(db, call);
  return row?.status == null ? { kind: "first" } : repeated(ctx, call, { ...row, status: row.status });
}

/**
 * Claims a key for the rest of the transaction. A second call with the same key waits here, and receives the first one's answer when that
 * commits.
 */
export async function claim(tx: Tx, ctx: Sealing, call: CallKey): Promise<KeyUse> {
  if (await rows.insert(tx, call, ctx.now())) return { kind: "first" };
  const row = await rows.find(tx, call);
  if (row?.status == null) throw new Error("a stored call has no answer");
  return repeated(ctx, call, { ...row, status: row.status });
}

/** Stores the answer of a claimed key. A secret one is encrypted. */
export const storeAnswer = (tx: Tx, ctx: Sealing, call: CallKey, { status, body }: StoredAnswer, isSecret: boolean): Promise<void> =>
  rows.complete(tx, call, status, isSecret ? sealed(ctx, body) : body);

function repeated(ctx: Sealing, call: CallKey, row: { hash: string; status: number; answer: unknown }): KeyUse {
  return row.hash === call.hash
    ? { kind: "repeated", answer: { status: row.status, body: unsealed(ctx, row.answer) } }
    : { kind: "reused" };
}

/** An answer as it is stored when it holds a secret. */
export const sealed = ({ secrets }: Sealing, body: unknown): { sealed: string } => ({
  sealed: secrets.seal("staff", JSON.stringify(body)),
});

/** A stored answer as it was sent, sealed or not; null: it was sealed with a key that is gone. */
export function unsealed({ secrets }: Sealing, stored: unknown): unknown {
  if (typeof stored !== "object" || stored === null || !("sealed" in stored)) return stored;
  const text = secrets.unseal("staff", String(stored.sealed));
  return text === null ? null : JSON.parse(text);
}

/** Deletes call keys and their answers from before a moment. Idempotent; for the sweep. */
export const deleteOld = (db: Db, before: Date): Promise<void> => rows.deleteOld(db, before);
