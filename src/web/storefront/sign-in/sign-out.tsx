import { useState } from "react";
import { useNavigate } from "react-router";
import { callApi } from "#contract/client.ts";
import { clearCheckout } from "../checkout/draft-store.ts";
import { refreshState } from "../state.ts";
import { say } from "../toasts.tsx";

/** Ends the session, forgets what checkout knew of the buyer, and goes home in place of the present page. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    const answer = await callApi("/api/auth/logout", { method: "POST" });
    if (!answer.ok) return say(answer.error.message, "refusal");
    clearCheckout();
    await refreshState();
    await navigate("/", { replace: true });
  };
}

export function SignOutButton({ className }: { className?: string }) {
  const signOut = useSignOut();
  const [isBusy, setBusy] = useState(false);
  return (
    <button className={className} type="button" disabled={isBusy} onClick={async () => { setBusy(true); await signOut(); setBusy(false); }}>Выйти</button>
  );
}
