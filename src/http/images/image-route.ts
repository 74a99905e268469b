import type { FastifyInstance } from "fastify";
import { parseQuery, rawQueryOf } from "../request/query.ts";
import { answerPicture } from "./answer.ts";
import { coinSources, type CoinPictureFinder, type CoinSources } from "./sources/coin-sources.ts";
import { readModifiers } from "./encoding/modifiers.ts";
import { plainPath, type ImageOrigin } from "./sources/origin.ts";
import type { Picture, PictureFault, Pictures } from "./pictures.ts";

/**
 * `GET /_image?url=…` with `format`, `fit`, `width`, `height`, `resize`, `quality`, `background`: a variant of any picture of the local
 * folder (`/media/coins/…webp`) or of the configured foreign origin (a path, or its full address). Pages use `/media` where a fixed size
 * suffices.
 */
export function imageRoute(app: FastifyInstance, { pictures, origin, ...finder }: Parts): void {
  app.get("/_image", { exposeHeadRoute: true }, async (request, reply) => {
    const query = parseQuery(rawQueryOf(request.url));
    const variant = query && readModifiers(query, request.headers.accept);
    if (!query?.url || !variant) return answerPicture(request, reply, "nonsense");
    const found = await sourcesAt(query.url, origin, finder);
    if (!found) return answerPicture(request, reply, "nonsense", variant);
    let picture: Picture | PictureFault = "missing";
    for (const source of found.sources) {
      picture = await pictures.get({ source, modifiers: variant.modifiers });
      if (picture !== "missing") break;
    }
    return answerPicture(request, reply, picture, { ...variant, isFinal: found.isFinal, isDraft: found.isDraft ?? false });
  });
}

type Parts = CoinPictureFinder & { pictures: Pictures; origin: ImageOrigin | null };

const local = /^\/media\/((?:coins|scenes)\/[a-z0-9-]{1,200}\.webp)$/;
const photo = /^\/media\/coins\/((?:[a-z0-9-]{1,200}\.[0-9.]{1,20}|preview\.\d{1,9}\.[\w-]{22})-(?:obverse|reverse|edge))\.webp$/;

async function sourcesAt(url: string, origin: ImageOrigin | null, finder: CoinPictureFinder): Promise<CoinSources | null> {
  const plain = plainPath(url) ?? "";
  const name = photo.exec(plain)?.[1];
  if (name !== undefined) return coinSources(name, finder);
  const file = local.exec(plain)?.[1];
  if (file !== undefined) return { sources: [{ file }], isFinal: true };
  const path = origin?.pathAt(url) ?? null;
  return path === null ? null : { sources: [{ path }], isFinal: true };
}
