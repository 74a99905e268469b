import { finalCoinPicture, type Media } from "./media.ts";

/** A larger picture stays a file: a phone on a slow line needs another round trip for a document of more than 43 KB. */
const maxBytes = 10 * 1024;
const maxPictures = 500;

/**
 * Coins' pictures that a page may contain, so that a phone shows its main picture without another request. The function returns the AVIF at
 * an address as the bytes of a `data:` address, the same for all pages; undefined: the page names the address itself.
 *
 * A render cannot wait, so a picture that is not known is read (and encoded, if nothing has requested it before) for later renders.
 */
export function createInlinePictures(media: Media): (address: string) => Uint8Array | undefined {
  const pictures = new Map<string, Uint8Array>();
  const underWay = new Set<string>();

  async function read(address: string): Promise<void> {
    const bytes = await finalCoinPicture(media, address);
    if (!bytes || bytes.length > maxBytes) return;
    if (pictures.size >= maxPictures) pictures.clear();
    pictures.set(address, new Uint8Array(Buffer.from(`data:image/avif;base64,${bytes.toString("base64")}`)));
  }

  return (address) => {
    const known = pictures.get(address);
    if (known) return known;
    if (!underWay.has(address)) {
      underWay.add(address);
      void read(address)
        .catch(() => {}) // the page names the address
        .finally(() => underWay.delete(address));
    }
    return undefined;
  };
}
