import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync } from "fastify";

/**
 * Scripts, styles and fonts of the build below `/assets/`. Their names carry a hash of their content, so a browser keeps them for a year;
 * the compressed twins were made at build time. Only files that were there at the start are known.
 */
export const assetsPlugin = (clientFolder: string): FastifyPluginAsync => async (app) => {
  await app.register(fastifyStatic, {
    root: join(clientFolder, "assets"), prefix: "/assets/", wildcard: false, preCompressed: true, immutable: true, maxAge: "1y", index: false, dotfiles: "ignore",
    exposeHeadRoutes: false,
  } as Parameters<typeof fastifyStatic>[1]);
};
