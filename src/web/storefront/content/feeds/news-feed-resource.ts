import { fromMoscow } from "#kit/moscow-time.ts";
import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import { pageContext } from "#web/context.server.ts";
import { contentPages } from "../content-pages.ts";
import { xmlText } from "./xml.ts";
import type { Route } from "./+types/news-feed-resource.ts";
import type { PageHandle } from "../../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true };

/** The newest news for feed readers (RSS 2.0). */
export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const base = ctx.settings.publicUrl.replace(/\/$/, "");
  const { items } = await content.list(ctx, "news");
  const entries = items.map((each) => {
    const link = xmlText(`${base}${entryHref(each) ?? contentPages.news.href}`);
    const date = each.publishedOn ? `<pubDate>${fromMoscow(each.publishedOn, "09:00").toUTCString()}</pubDate>` : "";
    const head = `<title>${xmlText(each.title)}</title><link>${link}</link><guid>${link}</guid>${date}`;
    return `<item>${head}<description>${xmlText(each.lead)}</description></item>`;
  });
  const name = xmlText(ctx.settings.shop.name);
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>` +
    `<title>${name}: ${contentPages.news.title.toLowerCase()}</title><link>${xmlText(`${base}${contentPages.news.href}`)}</link>` +
    `<description>Новости магазина и рынка</description><language>ru</language>\n${entries.join("\n")}\n</channel></rss>\n`;
  return new Response(xml, { headers: { "content-type": "application/rss+xml; charset=utf-8" } });
}
