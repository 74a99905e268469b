import { Dialog } from "../ui/dialog.tsx";
import type { InDialog } from "./dialogs.tsx";

export type VideoProps = { title: string; src: string; poster?: string; captions: string };

/** A film of our own, played over the page; it starts only when asked to. */
export default function VideoDialog({ title, src, poster, captions, isOpen, onClose }: VideoProps & InDialog) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <video controls preload="metadata" playsInline src={src} poster={poster}>
        <track kind="captions" src={captions} srcLang="ru" label="Русские субтитры" default />
      </video>
    </Dialog>
  );
}
