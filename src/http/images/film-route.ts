import type { FastifyInstance } from "fastify";
import { filmTypes, type FilmType } from "#shop/media/film.ts";

/** Reads uploaded films: their size, and parts of them. */
export type FilmStore = {
  size(id: string, type: FilmType): Promise<number | null>;
  part(id: string, start: number, length: number): Promise<Buffer | null>;
};

/** Most bytes of one answer to a request for a part; browsers request the rest. */
const maxBytes = 1024 * 1024;

/**
 * `/media/films/{id}.{mp4|webm}`: films that staff uploaded, also in ranges (RFC 9110, 14), which Safari requires. An address always shows
 * the same film.
 */
export function filmRoute(app: FastifyInstance, films: FilmStore): void {
  app.get<{ Params: { "*": string } }>("/media/films/*", { exposeHeadRoute: true }, async (request, reply) => {
    const [, id = "", extension = ""] = /^([A-Za-z0-9_-]{16,64})\.(mp4|webm)$/.exec(request.params["*"].slice(0, 100)) ?? [];
    const type = extension as FilmType;
    const size = id === "" ? null : await films.size(id, type);
    void reply.headers({ "x-content-type-options": "nosniff", "content-security-policy": "sandbox; default-src 'none'" });
    if (size === null)
      return reply.code(404).header("cache-control", "public, max-age=60").type("text/plain; charset=utf-8").send("Not found");
    void reply.headers({ "accept-ranges": "bytes", "cache-control": "public, max-age=31536000, immutable", etag: `"${id}"` });
    const range = rangeOf(request.headers.range, size);
    if (range === "outside") return reply.code(416).header("content-range", `bytes */${size}`).send();
    const { start, length } = range ?? { start: 0, length: size };
    if (range) void reply.code(206).header("content-range", `bytes ${start}-${start + length - 1}/${size}`);
    return reply.type(filmTypes[type]).send(await films.part(id, start, length));
  });
}

/** The one range that a request names; null: the whole film, also for a header that is not a single range of bytes. */
function rangeOf(header: string | undefined, size: number): { start: number; length: number } | "outside" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  if (start >= size || start > end) return "outside";
  return { start, length: Math.min(end - start + 1, maxBytes) };
}
