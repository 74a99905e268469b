import { randomId } from "#kit/ids.ts";
import type { Ctx } from "#shop/context.ts";
import { count } from "./limits.service.ts";
import { isSolved, proofBits } from "./proof.ts";

const livesSeconds = 300;

/** A puzzle for one phone, good for five minutes and one message. Nothing is stored: it carries its own signature. */
export function puzzleFor(ctx: Ctx, phone: string): string {
  const body = `${ctx.now().getTime() + livesSeconds * 1000}.${randomId()}`;
  return `${body}.${ctx.secrets.sign("sign-in-puzzle", `${phone} ${body}`, signedLength)}`;
}

/** Whether this proof solves a puzzle that we set for this phone not long ago, and was not used before. */
export async function isGoodProof(ctx: Ctx, phone: string, proof: string): Promise<boolean> {
  const [expires = "", id = "", signed = "", ...nonce] = proof.slice(0, 200).split(".");
  if (nonce.length !== 1 || !ctx.secrets.isSigned("sign-in-puzzle", `${phone} ${expires}.${id}`, signed, signedLength)) return false;
  if (Number(expires) <= ctx.now().getTime() || !(await isSolved(proof, proofBits))) return false;
  return count(ctx, `proof:${id}`, livesSeconds, 1);
}

/** Of the signature, in hex digits. */
const signedLength = 32;
