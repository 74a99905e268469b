import { randomId } from "#kit/ids.ts";
import type { Ctx } from "#shop/context.ts";
import { count } from "./limits.service.ts";
import { isSolved, proofBits } from "./proof.ts";

const lifetimeSeconds = 300;

/** A puzzle for one phone, valid for five minutes and one message. It is signed, so nothing is stored. */
export function puzzleFor(ctx: Ctx, phone: string): string {
  const body = `${ctx.now().getTime() + lifetimeSeconds * 1000}.${randomId()}`;
  return `${body}.${ctx.secrets.sign("sign-in-puzzle", `${phone} ${body}`, signedLength)}`;
}

/** Whether the proof solves an unexpired puzzle of this phone and was not used before. Marks it as used. */
export async function isValidProof(ctx: Ctx, phone: string, proof: string): Promise<boolean> {
  const [expires = "", id = "", signature = "", ...nonce] = proof.slice(0, 200).split(".");
  if (nonce.length !== 1 || !ctx.secrets.isSigned("sign-in-puzzle", `${phone} ${expires}.${id}`, signature, signedLength)) return false;
  if (Number(expires) <= ctx.now().getTime() || !(await isSolved(proof, proofBits))) return false;
  return count(ctx, `proof:${id}`, lifetimeSeconds, 1);
}

/** Length of the signature in hex digits. */
const signedLength = 32;
