import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { imageWidths } from "#shop/catalog/image.ts";
import { answerPicture } from "./answer.ts";
import { imageRoute } from "./image-route.ts";
import { type Format, takesAvif } from "./modifiers.ts";
import { createOrigin, type Origin, type OriginOptions } from "./origin.ts";
import { createPictures, type Picture, type Pictures, type PictureFault, type PicturesOptions, type VariantRequest } from "./pictures.ts";

export type MediaOptions = Omit<PicturesOptions, "origin"> & { origin?: OriginOptions | null };

const sceneWidths = [480, 800, 1200] as const;

/**
 * Pictures at fixed sizes: `/media/coins/{slug}-{obverse|reverse}-{160|320|640}.webp`, `/media/scenes/{name}[-{480|800|1200}].webp`,
 * as AVIF for browsers that accept it; and `/_image` with a requested size. Names use a fixed alphabet, so that no request can leave
 * the source folder, and only listed sizes exist, so that requests cannot fill the disk.
 */
export async function media(app: FastifyInstance, options: MediaOptions): Promise<void> {
  const opened = openMedia(options);
  app.addHook("onClose", () => opened.pictures.close());
  await mediaRoutes(app, opened);
}

/** The pictures of a process, which several servers may share; closed by their caller. */
export type Media = { pictures: Pictures; origin: Origin | null };

export function openMedia({ origin: foreign, ...options }: MediaOptions): Media {
  const origin = foreign ? createOrigin(foreign) : null;
  return { pictures: createPictures({ ...options, origin }), origin };
}

/** The same addresses for pictures that are open already. */
export async function mediaRoutes(app: FastifyInstance, { pictures, origin }: Media): Promise<void> {
  const serve =
    (read: (file: string, format: Format) => VariantRequest[]) =>
    async (request: FastifyRequest<{ Params: { "*": string } }>, reply: FastifyReply) => {
      let answer: Picture | PictureFault = "missing";
      for (const variant of read(request.params["*"], takesAvif(request.headers.accept) ? "avif" : "webp")) {
        answer = await pictures.get(variant);
        if (answer !== "missing") break;
      }
      return answerPicture(request, reply, answer, { isNegotiated: true });
    };

  // Wildcards, because a named parameter may have at most 100 characters and the longest slugs come near that.
  app.get("/media/coins/*", { exposeHeadRoute: true }, serve(coinVariant));
  app.get("/media/scenes/*", { exposeHeadRoute: true }, serve(sceneVariants));
  imageRoute(app, pictures, origin);
}

const coinName = /^([a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,30}-(?:obverse|reverse))-(\d{3})\.webp$/;
const sceneName = /^([a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,10})\.webp$/;
const sceneWithWidth = /^(.+)-(\d{3,4})$/;
const largest = Math.max(...imageWidths);

const atWidth = (file: string, width: number, format: Format): VariantRequest => ({
  source: { file },
  modifiers: { format, width, height: null, fit: "cover", quality: format === "avif" ? 60 : 76, background: null },
  keepsFitting: true,
});

/** The largest size is the source itself, in its own format. A further issue (`…-vypusk-2`) without pictures uses those of its design. */
function coinVariant(file: string, format: Format): VariantRequest[] {
  const match = coinName.exec(file.slice(0, 200));
  const width = imageWidths.find((each) => each === Number(match?.[2]));
  const name = match?.[1];
  if (name === undefined || width === undefined) return [];
  const design = name.replace(/-vypusk-\d{1,4}(?=-(?:obverse|reverse)$)/, "");
  return (design === name ? [name] : [name, design]).map((each) =>
    atWidth(`coins/${each}.webp`, width, width === largest ? "webp" : format),
  );
}

/** `news-1.webp` is a name, `hero-800.webp` a name with a width: the exact name is tried first. */
function sceneVariants(file: string, format: Format): VariantRequest[] {
  const name = sceneName.exec(file.slice(0, 200))?.[1];
  if (name === undefined) return [];
  const sized = sceneWithWidth.exec(name);
  const width = sceneWidths.find((each) => each === Number(sized?.[2]));
  return [
    { source: { file: `scenes/${name}.webp` }, modifiers: null },
    ...(sized && width ? [atWidth(`scenes/${sized[1]}.webp`, width, format)] : []),
  ];
}
