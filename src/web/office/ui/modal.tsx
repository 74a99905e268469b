import { Dialog } from "@base-ui/react/dialog";
import { useRef, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { mayGiveUp } from "./form/unsaved.ts";

/**
 * A dialog over the screen. Focus stays inside and afterwards returns to the opener; Escape and a press outside close it, with unsaved
 * entries after a confirmation.
 */
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
  const popup = useRef<HTMLDivElement>(null);
  const close = async () => {
    if (await mayGiveUp(popup.current ?? undefined)) onClose();
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && void close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup ref={popup} className={isWide ? "modal modal--wide" : "modal"}>
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
