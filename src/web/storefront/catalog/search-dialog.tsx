import { Dialog } from "../../ui/dialog.tsx";
import type { InDialog } from "../dialogs.tsx";
import { SearchBox } from "./search-box.tsx";

/** The search field over any page, opened by the header's loupe. */
export default function SearchDialog({ isOpen, onClose }: InDialog) {
  return (
    <Dialog title="Поиск" isOpen={isOpen} onClose={onClose} className="dlg--seek">
      <SearchBox isInDialog />
    </Dialog>
  );
}
