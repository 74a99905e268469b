import { Modal } from "../../ui/modal.tsx";
import { capOf, useBoundKeys } from "../keys.ts";
import { showOverlay, useOverlay } from "./overlays.ts";

/** The keys that work on this screen, under «?». */
export function KeySheet() {
  const isOpen = useOverlay() === "keys";
  const keys = useBoundKeys();
  return (
    <Modal title="Клавиши" isOpen={isOpen} onClose={() => showOverlay(null)}>
      <dl className="rows">
        {keys.map((binding) => (
          <div key={binding.code}>
            <dt>{binding.label}</dt>
            <dd>
              <kbd>{capOf(binding)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">Раскладка не важна. Пока курсор в поле, буквы печатаются и ничего не нажимают.</p>
    </Modal>
  );
}
