import type { NavigateFunction } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { clearCheckout } from "../checkout/draft-store.ts";
import { refreshState } from "../shared/visitor-state.ts";
import { say } from "../../ui/toasts.tsx";
import { announceSession } from "./session-channel.ts";

/** Ends the session, forgets what checkout knew of the buyer, and goes home in place of the present page. Loaded when it is pressed. */
export async function endSession(navigate: NavigateFunction): Promise<void> {
  const answer = await callApi(contract.logout);
  if (!answer.ok) return say(answer.error.message, "refusal");
  clearCheckout();
  announceSession();
  // The way home begins first: the personal page being left need not close itself.
  const home = navigate("/", { replace: true });
  await refreshState();
  await home;
}
