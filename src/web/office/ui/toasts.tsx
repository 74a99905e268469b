import { Toast } from "@base-ui/react/toast";
import { Icon } from "./icon.tsx";
import { DoneMark, WarnMark } from "./marks.tsx";

/** The manager of the toasts that `ToastList` shows. */
export const toasts = Toast.createToastManager<{ isTrouble: boolean }>();

/** Shows a toast. `undo` adds a button that reverts the action. A toast with `isTrouble` stays until it is closed. */
export function showToast(text: string, { undo, isTrouble = false }: { undo?: () => void; isTrouble?: boolean } = {}): void {
  const id = toasts.add({
    description: text,
    timeout: isTrouble ? 0 : undo ? 10_000 : 5_000,
    priority: isTrouble ? "high" : "low",
    data: { isTrouble },
    ...(undo
      ? {
          actionProps: {
            children: "Отменить",
            onClick: () => {
              toasts.close(id);
              undo();
            },
          },
        }
      : {}),
  });
}

/** Renders the toasts; mounted once, by the frame. */
export function ToastList() {
  const { toasts: shown } = Toast.useToastManager<{ isTrouble: boolean }>();
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts" aria-label="Сообщения">
        {shown.map((toast) => (
          <Toast.Root
            key={toast.id}
            toast={toast}
            aria-label="Сообщение"
            className={toast.data?.isTrouble ? "toast toast--trouble" : "toast"}
          >
            <Toast.Content className="toast__content">
              {toast.data?.isTrouble ? <WarnMark /> : <DoneMark />}
              <Toast.Description />
              <Toast.Action className="text-button" />
              <Toast.Close className="button button--quiet button--icon button--small" aria-label="Закрыть">
                <Icon name="close" size="small" />
              </Toast.Close>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
