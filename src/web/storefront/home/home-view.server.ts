import { dayOfYear, fineness, grams, millimetres, nbsp } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { BlockContent } from "#shop/content/site/parts.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { Ctx } from "#shop/context.ts";
import type { Card, CoinDetails } from "#shop/search/card.ts";
import * as search from "#shop/search/service.ts";
import { metalNames } from "../../texts.ru.ts";
import { cardView, distinctFirst } from "../catalog/cards/card-view.ts";
import { coinName, mintSign } from "../catalog/cards/coin-name.ts";
import { ounces } from "../product/data-table.ts";
import { liveHref } from "../shared/live-href.server.ts";
import { ownPicture } from "../shared/own-pictures.server.ts";

/**
 * The blocks of the home page with what they show now. A block is left out when what it is about is gone: a coin that was taken off sale,
 * all of its coins, its article.
 */
export async function homeView(ctx: Ctx) {
  const { title, description, blocks } = await siteParts.home(ctx);
  const views = await Promise.all(
    blocks.map(async ({ id, content: block }) => ({ id, view: await blockView(ctx, await withLiveLinks(ctx, block)) })),
  );
  return { title, description, blocks: views.flatMap(({ id, view }) => (view ? [{ id, ...view }] : [])) };
}

/** The block with links that lead somewhere: to the catalogue instead of a coin or a category that is gone. */
async function withLiveLinks(ctx: Ctx, block: BlockContent): Promise<BlockContent> {
  const [more, button] = ["more" in block ? block.more : null, "button" in block ? block.button : null];
  return {
    ...block,
    ...(more ? { more: { ...more, href: await liveHref(ctx, more.href) } } : {}),
    ...(button ? { button: { ...button, href: await liveHref(ctx, button.href) } } : {}),
  } as BlockContent;
}

type BlockOf<K extends BlockContent["kind"]> = Extract<BlockContent, { kind: K }>;

async function blockView(ctx: Ctx, block: BlockContent) {
  switch (block.kind) {
    case "hero":
      return { ...block, coin: await plate(ctx, block.coin) };
    case "ruler": {
      const coin = await plate(ctx, block.coin);
      return coin && { ...block, coin };
    }
    case "formula": {
      const coin = await plate(ctx, block.coin);
      return coin && { ...block, coin };
    }
    case "sizes": {
      const coins = (await coinsOf(ctx, block.coins)).map(sizeView);
      return coins.length > 1 ? { ...block, coins } : null;
    }
    case "prices": {
      const { choice, ...rest } = block;
      const rows = (await chosen(ctx, choice)).map((card) => ({
        ...cardView(card),
        metalValue: card.price !== null && card.premium ? kopecks(card.price - card.premium.amount) : null,
      }));
      const shown = choice.by === "popular" ? distinctFirst(rows, choice.count) : rows;
      return shown.length > 0 ? { ...rest, rows: shown } : null;
    }
    case "coins": {
      const { choice, ...rest } = block;
      const cards = await chosen(ctx, choice);
      const shown = (choice.by === "popular" ? cards.slice(0, choice.count) : cards).map(cardView);
      return shown.length > 0 ? { ...rest, cards: shown } : null;
    }
    case "promises":
      return { ...block, picture: ownPicture(block.picture) };
    case "articles":
      return articlesView(ctx, block);
    case "banner":
      return block;
  }
}

const plate = async (ctx: Ctx, slug: string) => {
  const coin = await search.coinBySlug(ctx, slug);
  return coin && plateOf(coin);
};

const coinsOf = async (ctx: Ctx, slugs: readonly string[]): Promise<CoinDetails[]> =>
  (await Promise.all(slugs.map((slug) => search.coinBySlug(ctx, slug)))).filter((coin) => coin !== null);

/** The coins that a block names, or the best sellers in stock of a kind. */
async function chosen(ctx: Ctx, choice: BlockOf<"coins">["choice"]): Promise<Card[]> {
  if (choice.by === "listed") return coinsOf(ctx, choice.slugs);
  return [...(await search.list(ctx, { kind: [choice.coins], inStock: true })).items];
}

const sizeView = ({ slug, picture, metal, title, pureMassMg, diameterMm, price, perGram }: CoinDetails) => ({
  slug,
  picture,
  metal,
  title,
  face: coinName(title).face,
  part: ounces(pureMassMg) ?? grams(pureMassMg),
  diameterMm: diameterMm ?? 0,
  price,
  perGram,
});

async function articlesView(ctx: Ctx, { lead: leadId, articles: count, news: newsCount, picture, ...block }: BlockOf<"articles">) {
  const [articles, news] = await Promise.all([content.list(ctx, "training"), content.list(ctx, "news")]);
  const lead = articles.items.find(({ id }) => id === leadId) ?? articles.items[0];
  if (!lead) return null;
  return {
    ...block,
    picture: ownPicture(picture),
    lead: { href: entryHref(lead) ?? "/training", title: lead.title, lead: lead.lead },
    reads: [
      ...articles.items
        .filter(({ id }) => id !== lead.id)
        .slice(0, count)
        .map((each) => ({ href: entryHref(each) ?? "/training", title: each.title, mark: `${each.extra.minutes ?? 5}${nbsp}мин` })),
      ...news.items
        .slice(0, newsCount)
        .map((each) => ({ href: `/news/${each.slug}`, title: each.title, mark: each.publishedOn ? dayOfYear(each.publishedOn) : "" })),
    ],
  };
}

function plateOf(coin: CoinDetails) {
  const metalValue = coin.price !== null && coin.premium ? kopecks(Math.round((coin.price - coin.premium.amount) / 100) * 100) : null;
  const { name, face } = coinName(coin.title);
  return {
    slug: coin.slug,
    picture: coin.picture,
    ...(coin.alt === null ? {} : { alt: coin.alt }),
    metal: coin.metal,
    metalName: metalNames[coin.metal],
    title: coin.title,
    name: `«${name}», ${face ?? ""} ${coin.year}`,
    fineness: fineness(coin.finenessTenths),
    mass: grams(coin.pureMassMg),
    mint: mintSign(coin.mint) ?? coin.country,
    year: coin.year,
    edge: coin.edge,
    diameter: coin.diameterMm === null ? null : millimetres(coin.diameterMm),
    price: coin.price,
    buyback: coin.buyback,
    metalValue,
    premiumBp: coin.premium?.bp ?? null,
    discountBp: coin.buybackBp === null ? null : -coin.buybackBp,
  };
}

export type HomeView = Awaited<ReturnType<typeof homeView>>;
export type BlockView<K extends BlockContent["kind"]> = Extract<HomeView["blocks"][number], { kind: K }>;
export type PlateCoin = ReturnType<typeof plateOf>;
