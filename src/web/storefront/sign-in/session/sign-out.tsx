import { useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router";

/** Before hydration, and when its code does not load, it is an ordinary form of the account. */
export function SignOutButton({ className }: { className?: string }) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    const loaded = await import("./end-session.ts").catch(() => null);
    if (loaded) await loaded.endSession(navigate);
    else form.submit();
    setBusy(false);
  }
  return (
    <form className="bare" method="post" action="/my/profile/edit" onSubmit={(event) => void onSubmit(event)}>
      <input type="hidden" name="intent" value="leave-here" />
      <button className={className} type="submit" disabled={isBusy}>
        Выйти
      </button>
    </form>
  );
}
