import { readdirSync } from "node:fs";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { sharedFiles } from "./shared-assets.ts";

/** Names of built files: no folders, and no file whose name begins with a dot. */
const builtName = /^[\w-][\w.-]*$/;

/**
 * Serves scripts, styles and fonts of a build below `/assets/`. Their names contain a hash of their content, or of all sources, so
 * browsers cache them for a year; compressed variants were made at build time. `own` is the folder of this build, listed once; other names
 * are looked up at each request among the files of other builds (shared-assets.ts). One route for all of them: a route of its own for each
 * of the hundreds of files costs time and memory at the start.
 */
export const buildFiles =
  (own: string, shared: string): FastifyPluginAsync =>
  async (app) => {
    await app.register(fastifyStatic, {
      serve: false,
      root: own,
      preCompressed: true,
      immutable: true,
      maxAge: "1y",
      // Headers count as well for a font that a phone is to get in one round trip (docs/decisions/0094); the ETag says enough.
      lastModified: false,
      index: false,
      dotfiles: "ignore",
    });
    const [names, others] = [new Set(readdirSync(own)), sharedFiles(shared)];
    app.route<{ Params: { "*": string } }>({
      method: ["GET", "HEAD"],
      url: "/assets/*",
      errorHandler: (error, _request, reply) => void sendUnmetCondition(error, reply),
      handler: ({ params: { "*": name } }, reply) =>
        builtName.test(name) ? reply.sendFile(name, names.has(name) ? own : others) : reply.callNotFound(),
    });
  };

/** A range or a precondition of the request that the file does not meet (RFC 9110, 14.4 and 13.1); other errors are not the file's. */
function sendUnmetCondition(error: unknown, reply: FastifyReply): FastifyReply {
  const { statusCode, headers = {} } = error as { statusCode?: unknown; headers?: Record<string, string> };
  if (statusCode !== 412 && statusCode !== 416) throw error;
  return reply.code(statusCode).headers(headers).header("cache-control", "no-store").send();
}
