import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { officePageHeaders } from "#http/server/headers.ts";
import { buildFiles } from "./build-files.ts";

/**
 * The app of the back office from its build folder. Below `/assets/` names contain a hash, so browsers cache them for a year; every other
 * address of a page answers `index.html`, which is fetched each time. Without a build the page says so. `shared`: the folder with the
 * files of other builds (shared-assets.ts), which open screens go on requesting.
 */
export const officeApp =
  (folder: string, shared: string): FastifyPluginAsync =>
  async (app) => {
    const assets = join(folder, "assets");
    if (existsSync(assets)) await app.register(buildFiles(assets, shared));
    const themePath = join(folder, "theme.js");
    if (existsSync(themePath)) {
      const theme = readFileSync(themePath);
      app.get("/theme.js", (_, reply) => reply.type("text/javascript; charset=utf-8").header("cache-control", "no-cache").send(theme));
    }
    const indexPath = join(folder, "index.html");
    const index = existsSync(indexPath) ? readFileSync(indexPath) : null;
    app.get("/*", (request, reply) => {
      if (/^\/(assets|media|_image)(\/|\?|$)/.test(request.url)) return reply.callNotFound();
      return page(reply.code(index ? 200 : 503), index ?? "Служебная часть не собрана: npm run build");
    });
  };

const page = (reply: FastifyReply, content: Buffer | string): FastifyReply =>
  reply.headers(officePageHeaders).type("text/html; charset=utf-8").header("cache-control", "no-cache").send(content);
