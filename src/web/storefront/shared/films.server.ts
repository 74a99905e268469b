import type { CoinFilm } from "#shop/content/site/parts.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { Ctx } from "#shop/context.ts";
import * as search from "#shop/search/service.ts";
import goldMp4 from "../../media/coin-gold.mp4";
import goldWebm from "../../media/coin-gold.webm";
import goldPoster from "../../media/coin-gold.webp";
import silverMp4 from "../../media/coin-silver.mp4";
import silverWebm from "../../media/coin-silver.webm";
import silverPoster from "../../media/coin-silver.webp";
import type { Film } from "./video-button.tsx";

const own: Readonly<Record<string, { mp4: string; webm: string; poster: string }>> = {
  gold: { mp4: goldMp4, webm: goldWebm, poster: goldPoster },
  silver: { mp4: silverMp4, webm: silverWebm, poster: silverPoster },
};
const fileOf = (file: string, kind: "mp4" | "webm" | "poster"): string => own[file]?.[kind] ?? file;

const filmView = ({ title, story, mp4, webm, poster }: CoinFilm): Film => ({
  title,
  story,
  poster: fileOf(poster, "poster"),
  mp4: fileOf(mp4, "mp4"),
  webm: webm === null ? null : fileOf(webm, "webm"),
});

/** The film of a coin; null: it has none. */
export async function filmOfCoin(ctx: Ctx, slug: string): Promise<Film | null> {
  const film = (await siteParts.films(ctx)).find(({ coin }) => coin === slug);
  return film ? filmView(film) : null;
}

/** The films above the text of a plain page, of coins that are on sale. */
export async function filmsOfPage(ctx: Ctx, page: string): Promise<Film[]> {
  const films = (await siteParts.films(ctx)).filter(({ pages }) => pages.includes(page));
  const coins = await Promise.all(films.map(({ coin }) => search.coinBySlug(ctx, coin)));
  return films.filter((_, index) => coins[index]).map(filmView);
}
