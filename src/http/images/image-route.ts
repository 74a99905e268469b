import type { FastifyInstance } from "fastify";
import { parseQuery, rawQueryOf } from "../request/query.ts";
import { answerPicture } from "./answer.ts";
import { readModifiers } from "./modifiers.ts";
import { plainPath, type Origin } from "./origin.ts";
import type { Pictures, Source } from "./pictures.ts";

/**
 * `GET /_image?url=…` with `format`, `fit`, `width`, `height`, `resize`, `quality`, `background`: a variant of any picture of the local
 * folder (`/media/coins/…webp`) or of the configured foreign origin (a path, or its full address). Pages use `/media` where a fixed size
 * suffices.
 */
export function imageRoute(app: FastifyInstance, pictures: Pictures, origin: Origin | null): void {
  app.get("/_image", { exposeHeadRoute: true }, async (request, reply) => {
    const query = parseQuery(rawQueryOf(request.url));
    const variant = query && readModifiers(query, request.headers.accept);
    if (!query?.url || !variant) return answerPicture(request, reply, "nonsense");
    const source = sourceAt(query.url, origin);
    return answerPicture(request, reply, source ? await pictures.get({ source, modifiers: variant.modifiers }) : "nonsense", variant);
  });
}

const local = /^\/media\/((?:coins|scenes)\/[a-z0-9-]{1,200}\.webp)$/;

function sourceAt(url: string, origin: Origin | null): Source | null {
  const file = local.exec(plainPath(url) ?? "")?.[1];
  if (file !== undefined) return { file };
  const path = origin?.pathAt(url) ?? null;
  return path === null ? null : { path };
}
