import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { filmTypes, type FilmType } from "#shop/media/film.ts";
import { FileDrop } from "../../ui/form/file-drop.tsx";
import { useSend } from "../../ui/send/use-send.ts";

/** A place for a picture of a text. `onStored` gets its address on the site. */
export function PictureDrop({ label, onStored }: { label: string; onStored: (address: string) => void }) {
  const { send, isBusy, refusal } = useSend(contract.uploadPicture, { stores: "nothing" });
  const upload = async (file: File | undefined) => {
    const answer = file && (await send({ body: file }));
    if (answer?.ok) onStored(`/media/pictures/${answer.value.id}-1200.webp`);
  };
  return (
    <FileDrop
      label={label}
      accept="image/*"
      hint="JPEG, PNG, WebP или AVIF до 20 МБ"
      error={refusal?.message ?? null}
      isBusy={isBusy}
      onFiles={([file]) => void upload(file)}
    />
  );
}

/** A place for a film of one format. `onStored` gets its address on the site. */
export function FilmDrop({ format, onStored }: { format: FilmType; onStored: (address: string) => void }) {
  const { send, isBusy, refusal } = useSend(contract.uploadFilm, { stores: "nothing" });
  const [isOther, setOther] = useState(false);
  const name = format === "mp4" ? "MP4" : "WebM";
  const upload = async (file: File | undefined) => {
    const answer = file && (await send({ body: file }));
    if (!answer?.ok) return setOther(false);
    setOther(answer.value.type !== format);
    if (answer.value.type === format) onStored(answer.value.address);
  };
  return (
    <FileDrop
      label={`Загрузить ${name}`}
      accept={filmTypes[format]}
      hint={`${name} до 8 МБ, без звука, несколько секунд`}
      error={isOther ? `Это не ${name}` : (refusal?.message ?? null)}
      isBusy={isBusy}
      onFiles={([file]) => void upload(file)}
    />
  );
}
