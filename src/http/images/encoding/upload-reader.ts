import type { PictureReader } from "#shop/media/gateway.ts";
import { maxPictureSide, minPictureSide } from "#shop/media/picture.ts";
import { Busy, createConcurrencyLimit } from "./concurrency-limit.ts";
import { createEncoder } from "./encoder.ts";
import { kindOfPicture } from "./kind-of-picture.ts";
import type { Modifiers } from "./modifiers.ts";

/** Large enough to cut a coin out of it, and in a quality of which sizes can be made. */
const master: Modifiers = { format: "webp", width: maxPictureSide, height: maxPictureSide, fit: "inside", quality: 92, background: null };

/** Uploads are decoded one at a time, in the process with low priority that also makes the sizes of pictures. */
export function createUploadReader(): PictureReader & { close(): void } {
  const encoder = createEncoder({ timeoutMs: 25_000 });
  const turn = createConcurrencyLimit(1, 10);
  return {
    async prepare(bytes) {
      if (bytes.length === 0) return "media.empty";
      if (kindOfPicture(bytes) === null) return "media.unreadable";
      const made = await turn(() => encoder.encode(bytes, master, { isUpload: true })).catch((error: unknown) => {
        if (error instanceof Busy) return "slow" as const;
        throw error;
      });
      if (made === "slow") return "media.busy";
      const size = made === "unreadable" ? null : sizeOfWebp(made);
      if (made === "unreadable" || size === null) return "media.unreadable";
      return Math.min(size.width, size.height) < minPictureSide ? "media.too_small" : { bytes: made, ...size };
    },
    close: () => encoder.close(),
  };
}

/** Width and height from the header of a WebP that we made. (RFC 9649, sections 2.5 to 2.7) */
function sizeOfWebp(bytes: Buffer): { width: number; height: number } | null {
  const chunk = bytes.toString("latin1", 12, 16);
  if (chunk === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return null;
}
