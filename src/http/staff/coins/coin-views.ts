import type * as z from "zod";
import type { addCoin, readCoin, readCoins } from "#contract/staff/coins/coins.ts";
import type { Db } from "#kit/db.ts";
import { fromRoubles, roublesOrNull, type Kopecks } from "#kit/money.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { factsOf, type FirstPrices } from "#shop/catalog/coin-rules.ts";
import * as coinPictures from "#shop/catalog/editing/pictures.service.ts";
import { coinImage, isDrawing, noPictures, photoSides, pictureOf } from "#shop/catalog/image.ts";
import type { Ctx } from "#shop/context.ts";
import * as media from "#shop/media/service.ts";
import { priceOf } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as stock from "#shop/stock/service.ts";
import { isoOrNull } from "../views.ts";

type CoinView = z.input<(typeof readCoin)["answer"]>;
type RowView = z.input<(typeof readCoins)["answer"]>["items"][number];

/** The public address of the shop without a trailing slash. */
export const shopUrlOf = (ctx: Ctx): string => ctx.settings.publicUrl.replace(/\/$/, "");

/** A coin for the editor, with its pictures, price of the moment and stock. */
export async function coinView(ctx: Ctx, coin: Coin): Promise<CoinView> {
  const [sides, list, available] = await Promise.all([
    coinPictures.picturesOf(ctx.db, coin.id),
    pricing.current(ctx),
    availableOf(ctx.db, coin.id),
  ]);
  const files = new Map(
    (
      await media.pictures(
        ctx.db,
        photoSides.flatMap((side) => sides[side]?.pictureId ?? []),
      )
    ).map((file) => [file.id, file]),
  );
  const shown = (side: (typeof photoSides)[number]) => {
    const picture = sides[side];
    const file = picture && files.get(picture.pictureId);
    return picture && file ? { ...picture, width: file.width, height: file.height } : null;
  };
  const { price, buyback } = priceOf(coin, list);
  const drawing = pictureOf({ ...coin, pictures: noPictures });
  return {
    id: coin.id,
    revision: coin.revision,
    facts: factsOf(coin),
    prices: {
      premiumBp: coin.premiumBp,
      buybackBp: coin.buybackBp,
      fixedPrice: roublesOrNull(coin.fixedPriceKopecks),
      fixedBuyback: roublesOrNull(coin.fixedBuybackKopecks),
    },
    price: roublesOrNull(price),
    buyback: roublesOrNull(buyback),
    isPublished: coin.isPublished,
    publishedAt: isoOrNull(coin.publishedAt ?? (coin.isPublished ? coin.createdAt : null)),
    pictures: { obverse: shown("obverse"), reverse: shown("reverse"), edge: shown("edge") },
    hasDrawing: coin.hasDrawing,
    drawings: { obverse: coinImage(drawing, "obverse", 320), reverse: coinImage(drawing, "reverse", 320) },
    available,
    url: `${shopUrlOf(ctx)}/products/${coin.slug}`,
  };
}

const availableOf = async (db: Db, id: number): Promise<number> => (await stock.available(db, [id])).get(id) ?? 0;

export const coinRow = (coin: Coin, price: Kopecks | null, available: number): RowView => ({
  id: coin.id,
  slug: coin.slug,
  title: coin.title,
  metal: coin.metal,
  kind: coin.kind,
  year: coin.year,
  mint: coin.mint,
  finenessTenths: coin.finenessTenths,
  pureMassMg: coin.pureMassMg,
  image: coinImage(pictureOf(coin), "reverse", 160),
  hasPhotos: !isDrawing(coin),
  isPublished: coin.isPublished,
  featuredPosition: coin.featuredPosition,
  available,
  price: roublesOrNull(price),
});

/** The first prices of a new coin, from roubles. */
export const pricesOf = (wire: z.output<(typeof addCoin)["body"]>["prices"]): FirstPrices => ({
  premiumBp: wire.premiumBp,
  buybackBp: wire.buybackBp,
  fixedPriceKopecks: wire.fixedPrice === null ? null : fromRoubles(wire.fixedPrice),
  fixedBuybackKopecks: wire.fixedBuyback === null ? null : fromRoubles(wire.fixedBuyback),
});
