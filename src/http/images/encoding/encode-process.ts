/** Entry of the process that decodes and encodes pictures: foreign bytes are decoded outside of the shop's process. */
import sharp, { type Sharp } from "sharp";
import type { Cut, Encoded, Job, JobAnswer } from "./encoder.ts";

sharp.concurrency(1);
sharp.cache(false);
// Only formats that `kindOfPicture` accepts, and from memory only: no file, no address, no SVG, PDF or GIF is opened.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer", "VipsForeignLoadHeifBuffer"],
});

/** Effort 1 encodes AVIF in the time of a WebP, at two thirds of its size; the default 4 takes thirty times as long. */
const encoders = {
  webp: (image: Sharp, quality: number, effort: number) => image.webp({ quality, alphaQuality: 80, effort }),
  avif: (image: Sharp, quality: number) => image.avif({ quality, effort: 1 }),
  jpeg: (image: Sharp, quality: number) => image.jpeg({ quality, mozjpeg: true }),
};

const servedLimits = { pixels: 25_000_000, seconds: 5 };
/** A photograph is decoded once, for a person who waits for it. */
const uploadLimits = { pixels: 60_000_000, seconds: 20 };

async function encode({ bytes, modifiers, keepsFitting, cut, isUpload }: Job): Promise<Encoded> {
  const { format, width, height, fit, quality, background } = modifiers;
  const limits = isUpload ? uploadLimits : servedLimits;
  const opened = sharp(bytes, { limitInputPixels: limits.pixels, animated: false, pages: 1 }).timeout({ seconds: limits.seconds });
  try {
    const source = await opened.metadata();
    const image = cut ? await cutOut(opened, cut) : opened;
    const isFitting = source.format === "webp" && width !== null && source.width <= width && !source.exif && !source.xmp;
    if (keepsFitting && !cut && isFitting) return bytes;
    // Rotated as its EXIF says, because no metadata is written.
    image.autoOrient().resize({
      width: width ?? undefined,
      height: height ?? undefined,
      fit,
      withoutEnlargement: true,
      background: background ? `#${background}` : { r: 0, g: 0, b: 0, alpha: 0 },
    });
    if (background) image.flatten({ background: `#${background}` });
    return await encoders[format](image, quality, isUpload ? 1 : 4).toBuffer();
  } catch (error) {
    // libvips names a timeout in words only: "timeout: 42% complete".
    return error instanceof Error && error.message.includes("timeout:") ? "slow" : "unreadable"; // broken, or too many pixels
  }
}

/** The side of a picture that is cut out, before it gets its size. */
const cutSide = 960;
/** In our drawings the coin takes this share of the width and sits a little above the middle. */
const disc = { share: 0.934, up: 0.012 };

async function cutOut(image: Sharp, { left, top, size, isRound }: Cut): Promise<Sharp> {
  const side = Math.min(cutSide, size);
  const inner = isRound ? Math.round(side * disc.share) : side;
  const edge = Math.round((side - inner) / 2);
  const up = isRound ? Math.max(0, Math.round(edge - side * disc.up)) : 0;
  image.extract({ left, top, width: size, height: size }).resize({ width: inner, height: inner, fit: "fill" }).ensureAlpha();
  if (isRound) {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const mask = discMask(side, inner / 2, { x: edge + inner / 2, y: up + inner / 2 });
    image
      .extend({ left: edge, right: side - inner - edge, top: up, bottom: side - inner - up, background: clear })
      .composite([{ input: mask, raw: { width: side, height: side, channels: 4 }, blend: "dest-in" }]);
  }
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** Opaque inside the circle, clear outside, with one soft pixel between. */
function discMask(side: number, radius: number, middle: { x: number; y: number }): Buffer {
  const mask = Buffer.alloc(side * side * 4);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const inside = radius - Math.hypot(x + 0.5 - middle.x, y + 0.5 - middle.y);
      mask[(y * side + x) * 4 + 3] = Math.round(Math.max(0, Math.min(1, inside + 0.5)) * 255);
    }
  return mask;
}

/** An answer that the shop no longer waits for is lost: it has ended, and this process ends too. */
const answer = (message: JobAnswer) => process.send?.(message, undefined, undefined, () => {});
process.on("message", (job: Job) => void encode(job).then((result) => answer({ id: job.id, result })));
process.on("disconnect", () => process.exit(0));
answer("ready");
