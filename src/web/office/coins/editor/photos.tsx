import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { maxUploadBytes, middleSquare, type Crop } from "#shop/media/picture.ts";
import { photoSides, type PhotoSide } from "#shop/catalog/image.ts";
import { callStaff } from "../../client.ts";
import { Field } from "../../ui/form/field.tsx";
import { FileDrop } from "../../ui/form/file-drop.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Section } from "../../ui/page-head.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { CoinView } from "./coin-draft.ts";
import { sideLabels } from "../words.ts";

export type ShownPictures = CoinView["pictures"];
type ShownPicture = NonNullable<ShownPictures[PhotoSide]>;

const accept = "image/jpeg,image/png,image/webp,image/avif";
/** The address of an uploaded picture, for the back office only. */
export const uploadedAddress = (id: string): string => `/api/staff/media/pictures/${id}`;

const cropFields = ["left", "top", "size"] as const;
const isSame = (a: ShownPicture, b: ShownPicture | null): boolean =>
  b !== null && a.pictureId === b.pictureId && a.alt === b.alt && cropFields.every((field) => a.crop[field] === b.crop[field]);

/** The pressed button is removed: moves the focus to the next control of the same side. */
const keepFocus = (side: HTMLElement | null) =>
  void setTimeout(() => (side?.querySelector<HTMLElement>("figcaption button") ?? side?.querySelector("input"))?.focus(), 0);

/**
 * The photographs of a coin: dropped or chosen, cut out as a square, described. Several files fill the empty sides in their order. Until
 * the coin is saved, its stored photographs can be taken back.
 */
export function Photos({
  pictures,
  coin,
  onChange,
}: {
  pictures: ShownPictures;
  coin: CoinView | null;
  onChange: (change: (before: ShownPictures) => ShownPictures) => void;
}) {
  const [busy, setBusy] = useState<ReadonlySet<PhotoSide>>(new Set());
  const [errors, setErrors] = useState<Partial<Record<PhotoSide, string>>>({});
  const [cutting, setCutting] = useState<PhotoSide | null>(null);
  const put = (side: PhotoSide, picture: ShownPicture | null) => onChange((before) => ({ ...before, [side]: picture }));

  async function upload(side: PhotoSide, file: File): Promise<void> {
    setErrors(({ [side]: _before, ...others }) => others);
    if (file.size > maxUploadBytes) return setErrors((before) => ({ ...before, [side]: "Файл больше 20 МБ" }));
    setBusy((before) => new Set([...before, side]));
    const answer = await callStaff(contract.uploadPicture, { body: file });
    setBusy((before) => new Set([...before].filter((each) => each !== side)));
    if (answer.ok) {
      const { id, width, height } = answer.value;
      const crop = middleSquare({ width, height });
      // A description that was typed during the upload stays.
      onChange((before) => ({ ...before, [side]: { pictureId: id, width, height, crop, alt: before[side]?.alt ?? "" } }));
    } else if (answer.error) {
      const { message } = answer.error;
      setErrors((before) => ({ ...before, [side]: message }));
    }
  }

  /** The first file is for this side, the next ones for the sides that are empty still. */
  function receive(side: PhotoSide, files: readonly File[]): void {
    const others = photoSides.filter((each) => each !== side && !pictures[each]);
    for (const [index, each] of [side, ...others].entries()) {
      const file = files[index];
      if (file) void upload(each, file);
    }
  }

  function takeBack(side: PhotoSide, stored: ShownPicture): void {
    put(side, stored);
    setErrors(({ [side]: _before, ...others }) => others);
    showToast(`${sideLabels[side]}: прежний снимок возвращён`);
  }

  const opened = cutting && pictures[cutting];
  return (
    <Section title="Снимки" aside={<span className="muted">JPEG, PNG, WebP, AVIF до 20 МБ, от 640 точек</span>}>
      <div className="photos">
        {photoSides.map((side) => {
          const picture = pictures[side];
          const drawing = side !== "edge" && coin?.hasDrawing ? coin.drawings[side] : null;
          const stored = coin?.pictures[side] ?? null;
          const back =
            stored && !isSame(stored, picture) ? (
              <button
                className="text-button"
                type="button"
                aria-label={`Вернуть прежнее: ${sideLabels[side]}`}
                disabled={busy.has(side)}
                onClick={(event) => {
                  keepFocus(event.currentTarget.closest("figure"));
                  takeBack(side, stored);
                }}
              >
                Вернуть прежнее
              </button>
            ) : null;
          return (
            <figure key={side} className="photo">
              {picture ? (
                <div className="photo__picture">
                  <CutPicture picture={picture} />
                </div>
              ) : (
                <FileDrop
                  label={
                    drawing ? (
                      <>
                        <img src={drawing} alt="" width="120" height="120" />
                        {sideLabels[side]}: рисунок, бросьте сюда снимок
                      </>
                    ) : (
                      `${sideLabels[side]}: бросьте или выберите файл`
                    )
                  }
                  accept={accept}
                  isMultiple
                  isBusy={busy.has(side)}
                  error={errors[side]}
                  hint={side === "edge" ? "необязательно" : undefined}
                  onFiles={(files) => receive(side, files)}
                />
              )}
              {picture ? (
                <figcaption>
                  <span className="photo__facts">
                    <b className="strong">{sideLabels[side]}</b>
                    <span className="muted number">
                      {picture.crop.size} × {picture.crop.size}
                    </span>
                  </span>
                  <Field
                    label={`Описание снимка: ${sideLabels[side]}`}
                    isLabelHidden
                    maxLength={200}
                    placeholder="Что на снимке"
                    value={picture.alt}
                    onChange={(event) => put(side, { ...picture, alt: event.target.value })}
                  />
                  <span className="photo__actions">
                    <button className="text-button" type="button" onClick={() => setCutting(side)}>
                      Обрезать
                    </button>
                    <label className="text-button">
                      {busy.has(side) ? "Загружаем…" : "Заменить"}
                      <input
                        className="visually-hidden"
                        type="file"
                        accept={accept}
                        aria-label={`Заменить снимок: ${sideLabels[side]}`}
                        onChange={(event) => {
                          const file = event.target.files?.[0];
                          event.target.value = "";
                          if (file) void upload(side, file);
                        }}
                      />
                    </label>
                    <button
                      className="text-button"
                      type="button"
                      onClick={(event) => {
                        keepFocus(event.currentTarget.closest("figure"));
                        put(side, null);
                      }}
                    >
                      Убрать
                    </button>
                    {back}
                  </span>
                  {errors[side] ? (
                    <p className="hint hint--bad" role="alert">
                      {errors[side]}
                    </p>
                  ) : null}
                </figcaption>
              ) : back ? (
                <figcaption>
                  <span className="photo__actions">{back}</span>
                </figcaption>
              ) : null}
            </figure>
          );
        })}
      </div>
      {cutting && opened ? (
        <CropDialog
          side={cutting}
          picture={opened}
          onClose={() => setCutting(null)}
          onCut={(crop) => {
            put(cutting, { ...opened, crop });
            setCutting(null);
          }}
        />
      ) : null}
    </Section>
  );
}

/** The chosen square of an uploaded picture. */
export function CutPicture({ picture: { pictureId, width, height, crop }, alt = "" }: { picture: ShownPicture; alt?: string }) {
  const share = (pixels: number): string => `${(pixels / crop.size) * 100}%`;
  return (
    <span className="cut-picture">
      <img
        src={uploadedAddress(pictureId)}
        alt={alt}
        style={{ width: share(width), height: share(height), left: share(-crop.left), top: share(-crop.top) }}
      />
    </span>
  );
}

/** Chooses the square of a picture with the pointer, or with three sliders for the keyboard. */
function CropDialog({
  side,
  picture,
  onCut,
  onClose,
}: {
  side: PhotoSide;
  picture: ShownPicture;
  onCut: (crop: Crop) => void;
  onClose: () => void;
}) {
  const { width, height } = picture;
  const [crop, setCrop] = useState(picture.crop);
  const [drag, setDrag] = useState<{ x: number; y: number; crop: Crop; scale: number } | null>(null);
  const fit = ({ left, top, size }: Crop): Crop => {
    const side = Math.round(Math.min(Math.max(100, size), width, height));
    const within = (value: number, most: number): number => Math.round(Math.min(Math.max(0, value), most));
    return { left: within(left, width - side), top: within(top, height - side), size: side };
  };
  const share = (pixels: number, of: number): string => `${(pixels / of) * 100}%`;
  const sliders = [
    { label: "Слева", value: crop.left, least: 0, most: width - crop.size, next: (left: number) => ({ ...crop, left }) },
    { label: "Сверху", value: crop.top, least: 0, most: height - crop.size, next: (top: number) => ({ ...crop, top }) },
    {
      label: "Размер",
      value: crop.size,
      least: Math.min(320, width, height),
      most: Math.min(width, height),
      // The middle stays where it is.
      next: (size: number) => ({ left: crop.left + (crop.size - size) / 2, top: crop.top + (crop.size - size) / 2, size }),
    },
  ];
  return (
    <Modal title={`Обрезать снимок: ${sideLabels[side].toLowerCase()}`} isOpen onClose={onClose} isWide>
      <div
        className="crop"
        style={{ aspectRatio: `${width} / ${height}` }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ x: event.clientX, y: event.clientY, crop, scale: width / event.currentTarget.clientWidth });
        }}
        onPointerMove={(event) => {
          if (!drag) return;
          const moved = { x: (event.clientX - drag.x) * drag.scale, y: (event.clientY - drag.y) * drag.scale };
          setCrop(fit({ ...drag.crop, left: drag.crop.left + moved.x, top: drag.crop.top + moved.y }));
        }}
        onPointerUp={() => setDrag(null)}
        onPointerCancel={() => setDrag(null)}
      >
        <img src={uploadedAddress(picture.pictureId)} alt="" draggable={false} />
        <span
          className="crop__square"
          style={{
            left: share(crop.left, width),
            top: share(crop.top, height),
            width: share(crop.size, width),
            height: share(crop.size, height),
          }}
        />
      </div>
      <div className="crop__sliders">
        {sliders.map(({ label, value, least, most, next }) => (
          <label key={label} className="field">
            <span>{label}</span>
            <input
              type="range"
              min={least}
              max={most}
              step={1}
              value={value}
              onChange={(event) => setCrop(fit(next(Number(event.target.value))))}
            />
          </label>
        ))}
      </div>
      <div className="modal__foot">
        <button className="button button--gold" type="button" onClick={() => onCut(crop)}>
          Обрезать
        </button>
        <button className="button" type="button" onClick={() => setCrop(middleSquare(picture))}>
          По середине
        </button>
      </div>
    </Modal>
  );
}
