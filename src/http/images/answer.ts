import type { FastifyReply, FastifyRequest } from "fastify";
import { hasCopy } from "#kit/network/etag.ts";
import { faultSeconds, type Picture, type PictureFault } from "./pictures.ts";

const refusals: Record<PictureFault | "nonsense", [status: number, text: string]> = {
  nonsense: [400, "Bad request"],
  missing: [404, "Not found"],
  too_large: [413, "The source is too large"],
  unreadable: [415, "The source is no picture that can be shown"],
  unreachable: [502, "The source cannot be reached"],
  busy: [503, "Service temporarily unavailable"],
};

/** How long an address that shows the picture of the moment may be cached. */
const currentSeconds = 60;

/**
 * Answers a picture, cached for a year unless its address may show another one later (`isFinal: false`) or visitors do not see it yet
 * (`isDraft`: neither cached nor indexed), or a refusal, cached for seconds. All get the same headers, which keep the bytes from being
 * executed.
 */
export function answerPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  picture: Picture | PictureFault | "nonsense",
  { isNegotiated = false, isFinal = true, isDraft = false } = {},
): FastifyReply {
  void reply.headers({
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    ...(isNegotiated ? { vary: "Accept" } : {}),
  });
  if (typeof picture === "string") {
    const [status, text] = refusals[picture];
    void reply
      .code(status)
      .headers(
        picture === "busy" ? { "retry-after": "2", "cache-control": "no-store" } : { "cache-control": `public, max-age=${faultSeconds}` },
      );
    return reply.type("text/plain; charset=utf-8").send(text);
  }
  if (isDraft)
    return reply.headers({ "cache-control": "private, no-store", "x-robots-tag": "noindex" }).type(picture.type).send(picture.bytes);
  void reply.headers({
    "cache-control": isFinal ? "public, max-age=31536000, immutable" : `public, max-age=${currentSeconds}`,
    etag: picture.etag,
  });
  return hasCopy(request.headers["if-none-match"], picture.etag) ? reply.code(304).send() : reply.type(picture.type).send(picture.bytes);
}
