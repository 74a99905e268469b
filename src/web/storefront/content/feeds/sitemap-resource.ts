import { href } from "react-router";
import * as catalog from "#shop/catalog/service.ts";
import * as search from "#shop/search/service.ts";
import { entryHref, type ContentKind } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { Ctx } from "#shop/context.ts";
import { pageContext } from "#web/context.server.ts";
import { contentPages } from "../content-pages.ts";
import { xmlText } from "./xml.ts";
import type { Route } from "./+types/sitemap-resource.ts";
import type { PageHandle } from "../../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true, isFeed: true };

/** The canonical addresses of all pages for search engines. */
export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const base = ctx.settings.publicUrl.replace(/\/$/, "");
  const lines = (await addresses(ctx)).map(
    ({ path, day }) => `<url><loc>${xmlText(`${base}${path}`)}</loc>${day ? `<lastmod>${day}</lastmod>` : ""}</url>`,
  );
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n` +
    `${lines.join("\n")}\n</urlset>\n`;
  return new Response(xml, { headers: { "content-type": "application/xml; charset=utf-8" } });
}

const articleKinds = ["news", "training", "case", "promo"] as const satisfies ContentKind[];

async function addresses(ctx: Ctx): Promise<{ path: string; day?: string | null }[]> {
  const [categories, slugs, texts, pages] = await Promise.all([
    catalog.categories(ctx),
    search.coinSlugs(ctx),
    content.searchable(ctx),
    content.sitePages(ctx),
  ]);
  return [
    { path: href("/") },
    { path: href("/catalog") },
    ...Object.values(contentPages).map((node) => ({ path: node.href })),
    ...categories.map(({ slug }) => ({ path: `/catalog/${slug}` })),
    ...slugs.map((slug) => ({ path: href("/products/:slug", { slug }) })),
    ...texts
      .filter(({ kind }) => (articleKinds as readonly ContentKind[]).includes(kind))
      .flatMap((text) => {
        const path = entryHref(text);
        return path ? [{ path, day: text.publishedOn }] : [];
      }),
    ...pages.map(({ path, editedOn }) => ({ path, day: editedOn })),
  ];
}
