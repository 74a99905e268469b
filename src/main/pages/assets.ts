import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyPluginAsync } from "fastify";

/**
 * Reads the build's style sheets once. They are found by address, `/assets/root-….css`, and contain nothing that could end a style element.
 */
export function readStyles(clientFolder: string): (href: string) => Uint8Array | undefined {
  const sheets = new Map<string, Uint8Array>();
  for (const name of readdirSync(join(clientFolder, "assets"))) {
    if (!name.endsWith(".css")) continue;
    const text = readFileSync(join(clientFolder, "assets", name), "utf8").trim();
    if (/<\/style/i.test(text)) throw new Error(`${name} cannot stand inside a page`);
    sheets.set(`/assets/${name}`, Buffer.from(text));
  }
  return (href) => sheets.get(href);
}

const imagesFolder = join(import.meta.dirname, "../../web/images");
const icons = [
  { name: "favicon.ico", type: "image/x-icon" },
  { name: "apple-touch-icon.png", type: "image/png" },
  { name: "apple-touch-icon-precomposed.png", file: "apple-touch-icon.png", type: "image/png" },
];

/** The shop's icon at the addresses where browsers, phones and search engines request it without having read a page. */
export const iconsPlugin: FastifyPluginAsync = async (app) => {
  for (const { name, file = name, type } of icons) {
    const bytes = readFileSync(join(imagesFolder, file));
    app.get(`/${name}`, { exposeHeadRoute: true }, (_, reply) =>
      reply.type(type).header("cache-control", "public, max-age=86400").send(bytes),
    );
  }
};
