import { useEffect, type ReactNode } from "react";
import { DialogHost } from "../dialogs/dialogs.tsx";
import { refreshState } from "../shared/visitor-state.ts";
import { Toasts } from "../../ui/toasts.tsx";
import { useFailedNavigation } from "./navigation/use-failed-navigation.ts";

/** A page without header and footer, with the host elements of dialogs and toasts. */
export function BlankFrame({ children }: { children: ReactNode }) {
  useEffect(() => {
    void refreshState();
  }, []);
  useFailedNavigation();
  return (
    <div className="frame">
      {children}
      <Toasts />
      <DialogHost />
    </div>
  );
}
