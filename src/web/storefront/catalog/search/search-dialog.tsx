import type { OpenDialogProps } from "../../dialogs/dialog-props.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { SearchBox } from "./search-box.tsx";

/** The search field over any page, opened by the header's loupe. */
export default function SearchDialog({ isOpen, onClose }: OpenDialogProps) {
  return (
    <Dialog title="Поиск" isOpen={isOpen} onClose={onClose} className="dialog--seek">
      <SearchBox isInDialog />
    </Dialog>
  );
}
