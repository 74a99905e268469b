import { useState, type FormEvent } from "react";
import { useNavigate } from "react-router";
import { callApi } from "#contract/client.ts";
import { clearCheckout } from "../checkout/draft-store.ts";
import { refreshState } from "../state.ts";
import { say } from "../toasts.tsx";

/** Ends the session, forgets what checkout knew of the buyer, and goes home in place of the present page. */
function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    const answer = await callApi("/api/auth/logout", { method: "POST" });
    if (!answer.ok) return say(answer.error.message, "refusal");
    clearCheckout();
    await refreshState();
    await navigate("/", { replace: true });
  };
}

/** Before scripts arrive it is an ordinary form of the account. */
export function SignOutButton({ className }: { className?: string }) {
  const signOut = useSignOut();
  const [isBusy, setBusy] = useState(false);
  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    await signOut();
    setBusy(false);
  }
  return (
    <form className="bare" method="post" action="/my/profile/edit" onSubmit={(event) => void onSubmit(event)}>
      <input type="hidden" name="intent" value="leave-here" />
      <button className={className} type="submit" disabled={isBusy}>Выйти</button>
    </form>
  );
}
