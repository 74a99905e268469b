import { useEffect, useRef } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import type { OpenDialogProps, VideoProps } from "../dialogs/dialog-props.ts";

/** A silent film of the coin in a dialog. With `prefers-reduced-motion` it starts only when the visitor starts it. */
export default function VideoDialog({ title, sources, poster, story, isOpen, onClose }: VideoProps & OpenDialogProps) {
  const film = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    film.current?.play().catch(() => {}); // a browser that refuses autoplay shows its own button
  }, []);
  return (
    <Dialog title={title} className="film" isOpen={isOpen} onClose={onClose}>
      <video ref={film} controls muted loop playsInline preload="metadata" poster={poster} width="480" height="480" data-autofocus>
        {sources.map(({ src, type }) => (
          <source key={type} src={src} type={type} />
        ))}
      </video>
      <p>{story}</p>
    </Dialog>
  );
}
