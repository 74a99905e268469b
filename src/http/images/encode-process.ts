/** Entry of the process that decodes and encodes pictures: foreign bytes are decoded outside of the shop's process. */
import sharp, { type Sharp } from "sharp";
import type { Encoded, Job, JobAnswer } from "./encoder.ts";

sharp.concurrency(1);
sharp.cache(false);
// Only formats that `kindOfPicture` accepts, and from memory only: no file, no address, no SVG, PDF or GIF is opened.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer", "VipsForeignLoadHeifBuffer"],
});

/** Effort 1 encodes AVIF in the time of a WebP, at two thirds of its size; the default 4 takes thirty times as long. */
const encoders = {
  webp: (image: Sharp, quality: number) => image.webp({ quality, alphaQuality: 80, effort: 4 }),
  avif: (image: Sharp, quality: number) => image.avif({ quality, effort: 1 }),
  jpeg: (image: Sharp, quality: number) => image.jpeg({ quality, mozjpeg: true }),
};

async function encode({ bytes, modifiers, keepsFitting }: Job): Promise<Encoded> {
  const { format, width, height, fit, quality, background } = modifiers;
  const image = sharp(bytes, { limitInputPixels: 25_000_000, animated: false, pages: 1 }).timeout({ seconds: 5 });
  try {
    const source = await image.metadata();
    if (keepsFitting && source.format === "webp" && width !== null && source.width <= width && !source.exif && !source.xmp) return bytes;
    // Rotated as its EXIF says, because no metadata is written.
    image.autoOrient().resize({
      width: width ?? undefined,
      height: height ?? undefined,
      fit,
      withoutEnlargement: true,
      background: background ? `#${background}` : { r: 0, g: 0, b: 0, alpha: 0 },
    });
    if (background) image.flatten({ background: `#${background}` });
    return await encoders[format](image, quality).toBuffer();
  } catch (error) {
    // libvips names a timeout in words only: "timeout: 42% complete".
    return error instanceof Error && error.message.includes("timeout:") ? "slow" : "unreadable"; // broken, or too many pixels
  }
}

const answer = (message: JobAnswer) => process.send?.(message);
process.on("message", (job: Job) => void encode(job).then((result) => answer({ id: job.id, result })));
process.on("disconnect", () => process.exit(0));
answer("ready");
