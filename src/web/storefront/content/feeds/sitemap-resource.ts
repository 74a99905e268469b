import { href } from "react-router";
import * as catalog from "#shop/catalog/service.ts";
import * as search from "#shop/search/service.ts";
import { entryHref, type ContentKind } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { Ctx } from "#shop/context.ts";
import { pageContext } from "#web/context.server.ts";
import { contentPages } from "../content-pages.ts";
import { maxParts, sitemap, type Address } from "./sitemap.ts";
import type { Route } from "./+types/sitemap-resource.ts";
import type { PageHandle } from "../../page/page-handle.ts";

export const handle: PageHandle = {
  isPublic: true,
  isFeed: true,
  parameters: ["part"],
  values: { part: Array.from({ length: maxParts }, (_, index) => String(index + 1)) },
};

/**
 * The canonical addresses of all pages for search engines. More than one file may have are given in parts (`?part=1` …), and the address
 * without a part is their index.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const base = ctx.settings.publicUrl.replace(/\/$/, "");
  const part = new URL(request.url).searchParams.get("part");
  const xml = sitemap(await addresses(ctx), base, part === null ? null : Number(part));
  if (xml === null) throw new Response(null, { status: 404 });
  return new Response(xml, { headers: { "content-type": "application/xml; charset=utf-8" } });
}

const articleKinds = ["news", "training", "case", "promo"] as const satisfies ContentKind[];

async function addresses(ctx: Ctx): Promise<Address[]> {
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
