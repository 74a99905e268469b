import { join } from "node:path";
import { openMedia, type Media, type MediaOptions } from "#http/images/media.ts";
import { createS3Storage } from "#integrations/object-storage/adapter.ts";
import type { ObjectStorage } from "#kit/network/object-storage.ts";
import type { OutboundOptions } from "#kit/network/outbound.ts";
import { pictureAt } from "#shop/catalog/editing/pictures.service.ts";
import type { Ctx } from "#shop/context.ts";
import { filmPart, filmSize, readBytes } from "#shop/media/service.ts";
import type { Config } from "./config.ts";

const mediaFolder = join(import.meta.dirname, "../../db/seed/media");

/** The pictures of this process, for all of its listeners; closed by the caller. */
export const openPictures = (ctx: Ctx, config: Config, onCall: NonNullable<OutboundOptions["onCall"]>): Media =>
  openMedia({
    ...pictureOptions(config),
    shared: sharedPictures(config, { now: ctx.now, onCall }),
    lookup: (picture) => pictureAt(ctx.db, picture),
    readUploaded: (id) => readBytes(ctx.db, id),
    films: { size: (id, type) => filmSize(ctx.db, id, type), part: (id, start, length) => filmPart(ctx.db, id, start, length) },
  });

/** The storage in which machines share encoded pictures; null: there is none. */
function sharedPictures(config: Config, shared: { now: () => Date; onCall: NonNullable<OutboundOptions["onCall"]> }): ObjectStorage | null {
  const { IMAGE_S3_URL: url, IMAGE_S3_REGION: region, IMAGE_S3_KEY_ID: keyId, IMAGE_S3_SECRET_KEY: secretKey } = config;
  return url !== undefined && keyId !== undefined && secretKey !== undefined
    ? createS3Storage({ url, region, keyId, secretKey }, shared)
    : null;
}

const pictureOptions = ({ dataDir, IMAGE_CACHE_DIR, IMAGE_CACHE_MB, IMAGE_ORIGIN, IMAGE_ORIGIN_ALLOW_PRIVATE }: Config): MediaOptions => ({
  sourceDir: mediaFolder,
  cacheDir: IMAGE_CACHE_DIR ?? join(dataDir, "media-cache"),
  cacheBytes: IMAGE_CACHE_MB * 1024 ** 2,
  origin: IMAGE_ORIGIN ? { origin: IMAGE_ORIGIN, allowPrivate: IMAGE_ORIGIN_ALLOW_PRIVATE } : null,
});
