import type { KeyboardEvent, MouseEvent } from "react";
import goldMp4 from "../../media/coin-gold.mp4";
import goldWebm from "../../media/coin-gold.webm";
import goldPoster from "../../media/coin-gold.webp";
import silverMp4 from "../../media/coin-silver.mp4";
import silverWebm from "../../media/coin-silver.webm";
import silverPoster from "../../media/coin-silver.webp";
import { Icon } from "../../ui/icon.tsx";
import { openDialog, preloadDialog } from "../dialogs/dialogs.tsx";

const films = {
  gold: {
    slug: "georgij-pobedonosec-50-rublej-2026-mmd",
    mp4: goldMp4,
    webm: goldWebm,
    poster: goldPoster,
    title: "Золотая монета со всех сторон",
    coin: "«Георгий Победоносец», 50 рублей 2026, золото",
  },
  silver: {
    slug: "georgij-pobedonosec-3-rublya-2026-mmd",
    mp4: silverMp4,
    webm: silverWebm,
    poster: silverPoster,
    title: "Серебряная монета со всех сторон",
    coin: "«Георгий Победоносец», 3 рубля 2026, серебро",
  },
} as const;
type Film = keyof typeof films;

/** The film that shows this coin; null for all others. */
export const filmOf = (slug: string): Film | null => (["gold", "silver"] as const).find((film) => films[film].slug === slug) ?? null;

/** Opens the film of a turning coin. It is a link to the film file, so it works without scripts. */
export function VideoButton({ film, className, text }: { film: Film; className: string; text: string }) {
  const { mp4, webm, poster, title, coin } = films[film];
  function open(event: MouseEvent | KeyboardEvent) {
    event.preventDefault();
    openDialog("video", {
      title,
      poster,
      sources: [
        { src: webm, type: "video/webm" },
        { src: mp4, type: "video/mp4" },
      ],
      story:
        `В кадре ${coin}: реверс, рифлёный гурт, аверс. Без звука, пять секунд. ` +
        "Нарисовано по тем же изображениям, что стоят в каталоге.",
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
