import type { KeyboardEvent, MouseEvent } from "react";
import { Icon } from "../../ui/icon.tsx";
import { openDialog, preloadDialog } from "../dialogs/dialogs.tsx";

/** A film of a coin by the addresses of its files. `story` says in words what it shows. */
export type Film = { title: string; story: string; poster: string; mp4: string; webm: string | null };

/** Opens the film of a turning coin. It is a link to the film file, so it works without scripts. */
export function VideoButton({ film: { mp4, webm, ...film }, className, text }: { film: Film; className: string; text: string }) {
  function open(event: MouseEvent | KeyboardEvent) {
    event.preventDefault();
    openDialog("video", {
      ...film,
      sources: [...(webm ? [{ src: webm, type: "video/webm" }] : []), { src: mp4, type: "video/mp4" }],
    });
  }
  return (
    <a
      className={className}
      href={mp4}
      role="button"
      aria-haspopup="dialog"
      onPointerEnter={() => preloadDialog("video")}
      onFocus={() => preloadDialog("video")}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === " ") open(event);
      }}
    >
      <Icon name="play" />
      {text}
    </a>
  );
}
