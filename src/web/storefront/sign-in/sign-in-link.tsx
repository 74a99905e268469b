import type { MouseEvent, ReactNode } from "react";
import { openDialog, preloadDialog } from "../dialogs/dialogs.tsx";

/** «Войти»: opens the dialog over the current page. Before hydration it links to the account, which shows the sign-in prompt. */
export function SignInLink({ className, label, children }: { className: string; label?: string; children: ReactNode }) {
  function onClick(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    openDialog("auth", {});
  }
  return (
    <a
      className={className}
      href="/my"
      rel="nofollow"
      role="button"
      aria-haspopup="dialog"
      aria-label={label}
      onPointerEnter={() => preloadDialog("auth")}
      onFocus={() => preloadDialog("auth")}
      onClick={onClick}
      onKeyDown={(event) => {
        if (event.key === " ") {
          event.preventDefault();
          openDialog("auth", {});
        }
      }}
    >
      {children}
    </a>
  );
}
