import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { inlineImageWidths, pageImageWidths } from "#shop/catalog/image.ts";
import { answerPicture } from "./answer.ts";
import { coinSources, type CoinPictureFinder, type CoinPictureLookup, type FoundCoinPicture } from "./sources/coin-sources.ts";
import { filmRoute, type FilmStore } from "./film-route.ts";
import { imageRoute } from "./image-route.ts";
import { type Format, takesAvif } from "./encoding/modifiers.ts";
import { createOrigin, type ImageOrigin, type OriginOptions } from "./sources/origin.ts";
import {
  createPictures,
  type Picture,
  type Pictures,
  type PictureFault,
  type PicturesOptions,
  type PictureSource,
  type VariantRequest,
} from "./pictures.ts";

export type MediaOptions = Omit<PicturesOptions, "origin"> & {
  origin?: OriginOptions | null;
  /** Finds uploaded pictures of coins; without it there are drawings only. */
  lookup?: CoinPictureLookup;
  films?: FilmStore;
};

const coinWidths = [...pageImageWidths, ...inlineImageWidths];
const sceneWidths = [480, 800, 1200] as const;

/**
 * Pictures at fixed sizes: `/media/coins/{name}-{obverse|reverse|edge}-{160|200|320|480|640}.webp`,
 * `/media/scenes/{name}[-{480|800|1200}].webp`, and `/media/pictures/{id}-{480|800|1200}.webp` for pictures of texts, as AVIF for browsers
 * that accept it; and `/_image` with a requested size. Names use a fixed alphabet, so that no request can leave the source folder, and only
 * listed sizes exist, so that requests cannot fill the disk.
 */
export async function media(app: FastifyInstance, options: MediaOptions): Promise<void> {
  const opened = openMedia(options);
  app.addHook("onClose", () => opened.pictures.close());
  await mediaRoutes(app, opened);
}

/** The pictures of a process, which several servers may share; closed by their caller. */
export type Media = CoinPictureFinder & { pictures: Pictures; origin: ImageOrigin | null; films: FilmStore | null };

/** Opens the pictures of a process; without a `lookup` coins have drawings only. */
export function openMedia({ origin: foreign, lookup = async () => null, films, now = () => new Date(), ...options }: MediaOptions): Media {
  const origin = foreign ? createOrigin(foreign) : null;
  return { pictures: createPictures({ ...options, now, origin }), origin, lookup: rememberingFinal(lookup), now, films: films ?? null };
}

const maxRemembered = 5_000;

/** What an address of a revision shows never changes, so the database is read once. */
function rememberingFinal(lookup: CoinPictureLookup): CoinPictureLookup {
  const known = new Map<string, FoundCoinPicture>();
  return async (coin) => {
    if ("previewId" in coin) return lookup(coin);
    const key = `${coin.coinId} ${coin.side} ${coin.revision}`;
    const before = known.get(key);
    if (before) return before;
    const found = await lookup(coin);
    if (found?.isFinal) {
      if (known.size >= maxRemembered) known.clear();
      known.set(key, found);
    }
    return found;
  };
}

/** The same addresses for pictures that are open already. */
export async function mediaRoutes(app: FastifyInstance, { pictures, origin, films, ...finder }: Media): Promise<void> {
  const serve =
    (read: (file: string, format: Format) => Promise<Variants>) =>
    async (request: FastifyRequest<{ Params: { "*": string } }>, reply: FastifyReply) => {
      const { variants, ...answered } = await read(request.params["*"], takesAvif(request.headers.accept) ? "avif" : "webp");
      return answerPicture(request, reply, await firstPicture(pictures, variants), { isNegotiated: true, ...answered });
    };

  // Wildcards, because a named parameter may have at most 100 characters and the longest slugs come near that.
  app.get(
    `${coinFolder}*`,
    { exposeHeadRoute: true },
    serve((file, format) => coinVariants(file, format, finder)),
  );
  app.get(
    "/media/scenes/*",
    { exposeHeadRoute: true },
    serve(async (file, format) => ({ variants: sceneVariants(file, format) })),
  );
  app.get(
    "/media/pictures/*",
    { exposeHeadRoute: true },
    serve(async (file, format) => ({ variants: uploadedVariants(file, format) })),
  );
  if (films) filmRoute(app, films);
  imageRoute(app, { pictures, origin, ...finder });
}

/** The AVIF at an address of a coin's picture (`/media/coins/…`); null: there is none, or the address may show another one later. */
export async function finalCoinPicture({ pictures, ...finder }: Media, address: string): Promise<Buffer | null> {
  if (!address.startsWith(coinFolder)) return null;
  const { variants, isFinal, isDraft } = await coinVariants(address.slice(coinFolder.length), "avif", finder);
  if (!isFinal || isDraft) return null;
  const picture = await firstPicture(pictures, variants);
  return typeof picture !== "string" && picture.type === "image/avif" ? picture.bytes : null;
}

type Variants = { variants: VariantRequest[]; isFinal?: boolean; isDraft?: boolean };

/** The first of the variants whose source exists. */
async function firstPicture(pictures: Pictures, variants: readonly VariantRequest[]): Promise<Picture | PictureFault> {
  for (const variant of variants) {
    const picture = await pictures.get(variant);
    if (picture !== "missing") return picture;
  }
  return "missing";
}

const coinFolder = "/media/coins/";
const coinFile = /^(.{1,160})-(\d{3})\.webp$/;
const sceneName = /^([a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,10})\.webp$/;
const sceneWithWidth = /^(.+)-(\d{3,4})$/;

/** On a drawing of a coin both look alike at twice their size; a phone gets its main picture (480 px) in one round trip. */
const qualities: Record<Format, number> = { webp: 76, avif: 48, jpeg: 76 };

const atWidth = (source: PictureSource, width: number, format: Format): VariantRequest => ({
  source,
  modifiers: { format, width, height: null, fit: "cover", quality: qualities[format], background: null },
  keepsFitting: format === "webp",
});

/** As WebP the largest size of a drawing is the source itself. */
async function coinVariants(file: string, format: Format, finder: CoinPictureFinder): Promise<Variants> {
  const [, name = "", size] = coinFile.exec(file) ?? [];
  const width = coinWidths.find((each) => each === Number(size));
  const found = width === undefined ? null : await coinSources(name, finder);
  if (!found || width === undefined) return { variants: [] };
  const { sources, ...answered } = found;
  return { variants: sources.map((source) => atWidth(source, width, format)), ...answered };
}

const uploadedName = /^([A-Za-z0-9_-]{16,64})-(\d{3,4})\.webp$/;

/** A picture that staff uploaded for a text, by its id: whole, at one of the widths of scenes. */
function uploadedVariants(file: string, format: Format): VariantRequest[] {
  const [, uploaded = "", size] = uploadedName.exec(file.slice(0, 200)) ?? [];
  const width = sceneWidths.find((each) => each === Number(size));
  return width === undefined ? [] : [atWidth({ uploaded, cut: null }, width, format)];
}

/** `news-1.webp` is a name, `hero-800.webp` a name with a width: the exact name is tried first. */
function sceneVariants(file: string, format: Format): VariantRequest[] {
  const name = sceneName.exec(file.slice(0, 200))?.[1];
  if (name === undefined) return [];
  const sized = sceneWithWidth.exec(name);
  const width = sceneWidths.find((each) => each === Number(sized?.[2]));
  return [
    { source: { file: `scenes/${name}.webp` }, modifiers: null },
    ...(sized && width ? [atWidth({ file: `scenes/${sized[1]}.webp` }, width, format)] : []),
  ];
}
