import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** A dialog over the screen. Focus stays inside and returns to where it was; Escape and a press outside close it. */
export function Modal({
  title,
  isOpen,
  onClose,
  isWide = false,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  isWide?: boolean;
  children: ReactNode;
}) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className={isWide ? "modal modal--wide" : "modal"}>
          <div className="modal__head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="button button--quiet button--icon" aria-label="Закрыть">
              <Icon name="close" size="small" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
