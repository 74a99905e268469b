import { callApi } from "#contract/client.ts";
import { solve } from "#shop/auth/proof.ts";

type Sent = { resendIn: number };
const ask = (body: { phone: string; proof?: string }) => callApi<Sent>("/api/auth/get-code", { method: "POST", body });

/** Asks for a code; where the shop first wants to see some work done, does it and asks again. */
export async function askForCode(phone: string) {
  const answer = await ask({ phone });
  if (answer.ok || answer.error.code !== "auth.proof_needed") return answer;
  const { puzzle, bits } = answer.error.data as { puzzle: string; bits: number };
  return ask({ phone, proof: await solve(puzzle, bits) });
}
