import type { OpenDialogProps } from "../../dialogs/dialog-props.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { SearchBox } from "./search-box.tsx";
import "./search-box.css";

/** The search field in a dialog, opened from the header. */
export default function SearchDialog({ isOpen, onClose }: OpenDialogProps) {
  return (
    <Dialog title="Поиск" isOpen={isOpen} onClose={onClose} className="dialog--seek">
      <SearchBox isInDialog />
    </Dialog>
  );
}
