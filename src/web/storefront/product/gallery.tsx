import { type PointerEvent, useRef } from "react";
import { millimetres, nbsp } from "#kit/format.ts";
import { coinImage, coinSrcSet, type CoinPictures } from "#shop/catalog/image.ts";
import type { Metal } from "#shop/catalog/coin.ts";
import capsuleThumb from "../../images/capsule-thumb.webp";
import capsule from "../../images/capsule.webp";
import { Icon } from "../../ui/icon.tsx";
import { MainPicture } from "../../first-view/main-picture.tsx";
import { drawingNote } from "../../texts.ru.ts";
import { VideoButton, type Film } from "../shared/video-button.tsx";

export type GalleryCoin = {
  slug: string;
  picture: string;
  title: string;
  metal: Metal;
  kind: "bullion" | "memorable";
  isRound: boolean;
  hasCapsule: boolean;
  isDrawing: boolean;
  /** Descriptions of the photographs; the edge is shown as a photograph if it has one. */
  alts: CoinPictures["alts"];
  diameterMm: number | null;
  lengthMm: number | null;
  widthMm: number | null;
  hasEdge: boolean;
  film: Film | null;
};

/** The rings between the two faces that draw the coin's edge; their depth is in the stylesheet. */
const rings = Array.from({ length: 18 }, (_, index) => index);
/** The angle in degrees at which each side faces the viewer. */
const angles = { reverse: 0, obverse: 180, edge: -74 } as const;

/**
 * The pictures of a coin. The sides are radio buttons, so they change without scripts and by the arrow keys; with scripts the coin follows
 * the pointer and stops at the nearer side.
 */
export function Gallery({ coin }: { coin: GalleryCoin }) {
  const stage = useRef<HTMLFieldSetElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const zoom = useRef<HTMLDialogElement>(null);
  const drag = useRef<{ x: number; base: number } | null>(null);
  const is3d = coin.isRound;
  const { film } = coin;
  const scene =
    coin.alts.edge !== undefined
      ? { name: "Гурт", alt: coin.alts.edge, src: coinImage(coin.picture, "edge", 640), thumb: coinImage(coin.picture, "edge", 160) }
      : coin.hasCapsule && { name: "В капсуле", alt: "Монета в капсуле", src: capsule, thumb: capsuleThumb };

  const input = (side: string) => stage.current?.querySelector<HTMLInputElement>(`input[value="${side}"]`);
  const angleNow = () =>
    angles[(stage.current?.querySelector<HTMLInputElement>("input:checked")?.value ?? "reverse") as keyof typeof angles] ?? null;

  function onPointerDown(event: PointerEvent<HTMLFieldSetElement>) {
    if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest("label, button, a")) return;
    const base = angleNow();
    if (base === null) return;
    drag.current = { x: event.clientX, base };
    body.current?.classList.add("is-dragged");
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  function onPointerMove(event: PointerEvent) {
    if (drag.current) body.current?.style.setProperty("--ry", `${drag.current.base + (event.clientX - drag.current.x) * 0.6}deg`);
  }
  function onPointerEnd(event: PointerEvent) {
    const { current } = drag;
    if (!current) return;
    drag.current = null;
    body.current?.classList.remove("is-dragged");
    body.current?.style.removeProperty("--ry");
    const moved = event.clientX - current.x;
    const turned = (((current.base + moved * 0.6) % 360) + 360) % 360;
    // A tap turns the coin over; a drag ends at the side that shows more.
    const showsReverse = Math.abs(moved) < 6 ? current.base !== 0 : turned < 90 || turned > 270;
    const side = input(showsReverse ? "reverse" : "obverse");
    if (side) side.checked = true;
  }
  function openZoom() {
    const side = stage.current?.querySelector<HTMLInputElement>("input:checked")?.value === "obverse" ? "obverse" : "reverse";
    zoom.current?.querySelector(`[data-side="${side}"]`)?.scrollIntoView();
    zoom.current?.showModal();
  }

  const size = coin.isRound
    ? coin.diameterMm === null
      ? null
      : `⌀${nbsp}${millimetres(coin.diameterMm)}`
    : coin.lengthMm !== null && coin.widthMm !== null
      ? `${millimetres(coin.lengthMm)} × ${millimetres(coin.widthMm)}`
      : null;

  return (
    <div className="gallery">
      <fieldset
        ref={stage}
        className={`stage stage--${coin.metal}${is3d ? "" : " stage--flat"}`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
      >
        <legend className="visually-hidden">Сторона монеты. Меняется стрелками</legend>
        <p className="stage__hint" aria-hidden="true">
          <Icon name="turn" />
          <span>
            Потяните<span>, чтобы повернуть</span>
          </span>
        </p>
        <button className="tool stage__zoom" type="button" aria-label="Увеличить" aria-haspopup="dialog" onClick={openZoom}>
          <Icon name="zoom" />
        </button>
        {film && <VideoButton className="stage__video" film={film} text="Видео" />}
        <span className="coin-model__shadow" />
        <div className="coin-model">
          <div ref={body} className="coin-model__body">
            {is3d && rings.map((ring) => <i key={ring} className="coin-model__edge" />)}
            <div className="coin-model__face coin-model__face--reverse">
              <Side coin={coin} side="reverse" isFirst />
            </div>
            <div className="coin-model__face coin-model__face--obverse">
              <Side coin={coin} side="obverse" />
            </div>
          </div>
        </div>
        {scene && <img className="stage__capsule" src={scene.src} width="720" height="720" alt={scene.alt} loading="lazy" />}
        {size && (
          <span className="stage__dimension dimension">
            <span className="digits">{size}</span>
          </span>
        )}
        <div className="stage__sides">
          <label>
            <input type="radio" name="side" value="reverse" id="s-rev" defaultChecked />
            <img src={coinImage(coin.picture, "reverse", 160)} width="40" height="40" alt="" loading="lazy" />
            Реверс
          </label>
          <label>
            <input type="radio" name="side" value="obverse" id="s-obv" />
            <img src={coinImage(coin.picture, "obverse", 160)} width="40" height="40" alt="" loading="lazy" />
            Аверс
          </label>
          {is3d && coin.hasEdge && coin.alts.edge === undefined && (
            <label>
              <input type="radio" name="side" value="edge" id="s-edge" />
              <i />
              Гурт
            </label>
          )}
          {scene && (
            <label>
              <input type="radio" name="side" value="capsule" id="s-cap" />
              <img className="is-scene" src={scene.thumb} width="40" height="40" alt="" loading="lazy" />
              {scene.name}
            </label>
          )}
        </div>
      </fieldset>
      <div className="gallery__spacer" />
      {coin.isDrawing && <p className="gallery__note">{drawingNote}</p>}
      <dialog
        ref={zoom}
        className="loupe"
        aria-label={coin.title}
        onClick={(event) => {
          if (event.target === zoom.current) zoom.current?.close();
        }}
      >
        <button className="tool loupe__close" type="button" aria-label="Закрыть" onClick={() => zoom.current?.close()}>
          <Icon name="close" />
        </button>
        <div className="loupe__inner">
          {(["reverse", "obverse"] as const).map((side) => (
            <figure key={side} data-side={side}>
              <img
                className={`coin coin--${coin.metal}`}
                src={coinImage(coin.picture, side, 640)}
                width="640"
                height="640"
                alt={sideName(coin, side)}
                loading="lazy"
              />
              <figcaption>{side === "reverse" ? "Реверс" : "Аверс"}</figcaption>
            </figure>
          ))}
        </div>
      </dialog>
    </div>
  );
}

const sideName = ({ title, alts }: GalleryCoin, side: "reverse" | "obverse"): string =>
  alts[side] || `${title}, ${side === "reverse" ? "реверс" : "аверс"}`;

/** On phones `sizes` is a little narrower than the picture is shown: a sharper one would take a phone another round trip. */
function Side({ coin, side, isFirst = false }: { coin: GalleryCoin; side: "reverse" | "obverse"; isFirst?: boolean }) {
  const attributes = { sizes: "(max-width: 767px) 66vw, 556px", draggable: false };
  const alt = sideName(coin, side);
  if (isFirst) return <MainPicture {...attributes} alt={alt} picture={coin.picture} side={side} width={640} inlineWidth={320} />;
  return (
    <img
      {...attributes}
      alt={alt}
      src={coinImage(coin.picture, side, 640)}
      srcSet={coinSrcSet(coin.picture, side)}
      width="640"
      height="640"
      loading="lazy"
      fetchPriority="low"
    />
  );
}
