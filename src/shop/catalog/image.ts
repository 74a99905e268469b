export type CoinSide = "obverse" | "reverse";
export const imageWidths = [160, 320, 640] as const;
export type ImageWidth = (typeof imageWidths)[number];

/** Address of a coin's picture at one of the fixed widths; the same address always shows the same picture. */
export const coinImage = (slug: string, side: CoinSide, width: ImageWidth): string => `/media/coins/${slug}-${side}-${width}.webp`;

/** `srcset` for densities 1 and 2 and for narrow screens: every fixed width with its descriptor. */
export const coinSrcSet = (slug: string, side: CoinSide): string =>
  imageWidths.map((width) => `${coinImage(slug, side, width)} ${width}w`).join(", ");

/** Coins whose pictures are photographs. All other pictures are our drawings, and pages say so. */
const photographed: ReadonlySet<string> = new Set();
export const isDrawing = (slug: string): boolean => !photographed.has(slug);
