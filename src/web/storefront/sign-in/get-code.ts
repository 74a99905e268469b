import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { solve } from "#shop/auth/proof.ts";

/** Requests a code. If the server requires proof of work, solves it and requests again. */
export async function getCode(phone: string) {
  const answer = await callApi(contract.getCode, { body: { phone } });
  if (answer.ok || answer.error.code !== "auth.proof_needed") return answer;
  const { puzzle, bits } = answer.error.data;
  return callApi(contract.getCode, { body: { phone, proof: await solve(puzzle, bits) } });
}
