import * as pricing from "#shop/pricing/service.ts";
import * as search from "#shop/search/service.ts";
import { pageContext } from "#web/context.server.ts";
import { marketFeed } from "./market-feed.server.ts";
import type { Route } from "./+types/market-feed-resource.ts";
import type { PageHandle } from "../../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true, isFeed: true, isPriceFeed: true };

/** The catalogue with prices for marketplaces and price comparison (`/yml.xml`); cached and renewed with the price list, like a page. */
export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const { shop, publicUrl } = ctx.settings;
  const [coins, categories, list] = await Promise.all([search.allCoins(ctx), search.categories(ctx), pricing.current(ctx)]);
  const feed = marketFeed({
    shop: { name: shop.name, company: shop.placeholders.LEGAL_NAME ?? shop.name },
    publicUrl: publicUrl.replace(/\/$/, ""),
    categories,
    coins,
    list,
  });
  return new Response(streamOf(feed), {
    headers: { "content-type": "application/xml; charset=utf-8" },
  });
}

/** Makes the next part when the last one was read, so that a slow reader does not make the shop hold the whole feed. */
function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
