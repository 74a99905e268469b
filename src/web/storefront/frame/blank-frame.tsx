import { useEffect, type ReactNode } from "react";
import { DialogHost } from "../dialogs.tsx";
import { refreshState } from "../state.ts";
import { Toasts } from "../toasts.tsx";
import { useLostPage } from "./use-lost-page.ts";

/** A page with nothing around it but the places where dialogs and messages appear. */
export function BlankFrame({ children }: { children: ReactNode }) {
  useEffect(() => {
    void refreshState();
  }, []);
  useLostPage();
  return (
    <div className="frame">
      {children}
      <Toasts />
      <DialogHost />
    </div>
  );
}
