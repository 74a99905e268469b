import { createContext, type ImgHTMLAttributes, useContext, useEffect, useRef } from "react";
import { coinImage, coinSrcSet, type CoinSide, type ImageWidth, type InlineImageWidth } from "#shop/catalog/image.ts";

/** Reads the picture at an address as a `data:` address; undefined: the page names the address. Set during a render on the server. */
export const InlinePicture = /* @__PURE__ */ createContext<(address: string) => string | undefined>(() => undefined);

/** The browser's build has no pictures in documents. */
const useInlinePicture: (address: string) => string | undefined = import.meta.env.SSR
  ? (address) => useContext(InlinePicture)(address)
  : () => undefined;

type MainPictureProps = Omit<ImgHTMLAttributes<HTMLImageElement>, "src" | "srcSet"> & {
  alt: string;
  /** The name of the coin's pictures. */
  picture: string;
  side: CoinSide;
  /** Of the `src`, pixels. */
  width: ImageWidth;
  /** Of the picture that the document of a first view contains for phones, pixels. */
  inlineWidth: InlineImageWidth;
};

/**
 * The picture of a coin that is the largest on its first screen. A document from the cache contains a small one for phones, which is
 * painted without another request; when the page is interactive, the browser chooses the width that the screen needs. On hydration React
 * leaves attributes as the server wrote them. See docs/decisions/0094.
 */
export function MainPicture({ picture, side, width, inlineWidth, sizes, alt, ...attributes }: MainPictureProps) {
  const source = useRef<HTMLSourceElement>(null);
  const inline = useInlinePicture(coinImage(picture, side, inlineWidth));
  const srcSet = coinSrcSet(picture, side);
  useEffect(() => {
    const { current } = source;
    if (current?.srcset.startsWith("data:")) current.srcset = srcSet;
  }, [srcSet]);
  return (
    <picture>
      <source
        ref={source}
        type="image/avif"
        media="(max-width: 767px)"
        srcSet={inline === undefined ? srcSet : `${inline} ${inlineWidth}w`}
        sizes={sizes}
        suppressHydrationWarning
      />
      <img
        {...attributes}
        alt={alt}
        src={coinImage(picture, side, width)}
        srcSet={srcSet}
        sizes={sizes}
        width={width}
        height={width}
        fetchPriority="high"
        loading="eager"
      />
    </picture>
  );
}
