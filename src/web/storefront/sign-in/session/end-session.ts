import type { NavigateFunction } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { clearCheckout } from "../../checkout/draft-store.ts";
import { announce, refreshState } from "../../shared/visitor-state.ts";
import { showToast } from "../../../ui/toasts.tsx";

/** Ends the session, deletes the checkout draft and replaces the current page by the front page. Loaded when it is pressed. */
export async function endSession(navigate: NavigateFunction): Promise<void> {
  const answer = await callApi(contract.logout);
  if (!answer.ok) return showToast(answer.error.message, "refusal");
  clearCheckout();
  announce("session");
  // Navigation starts first: the personal page being left need not react to the end of the session.
  const home = navigate("/", { replace: true });
  await refreshState();
  await home;
}
