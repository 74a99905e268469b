import * as z from "zod";
import { maxFilmBytes } from "#shop/media/film.ts";
import { maxUploadBytes } from "#shop/media/picture.ts";
import { file, staffCall } from "../call.ts";
import { tokenParam } from "../wire.ts";

/** Pictures that staff upload; coins and texts refer to them by id. */

export const storedPicture = z.object({ id: z.string(), width: z.int(), height: z.int() });

export const uploadPicture = staffCall({
  method: "POST",
  path: "/api/staff/media/pictures",
  summary:
    "Stores a picture (JPEG, PNG, WebP, AVIF up to 20 MB), turned upright and freed of metadata. Unused ones are deleted after two days",
  permission: "coins",
  audit: "media.upload",
  isBinary: true,
  body: z.custom<Blob | Uint8Array>((value) => value instanceof Uint8Array),
  maxBodyBytes: maxUploadBytes,
  answer: storedPicture,
  problems: ["request.too_large", "media.empty", "media.unreadable", "media.too_small", "media.busy"],
});

export const uploadFilm = staffCall({
  method: "POST",
  path: "/api/staff/media/films",
  summary: "Stores a film of a coin (MP4 or WebM up to 8 MB) as it is. Unused ones are deleted after two days",
  permission: "content",
  audit: "media.upload",
  isBinary: true,
  body: z.custom<Blob | Uint8Array>((value) => value instanceof Uint8Array),
  maxBodyBytes: maxFilmBytes,
  answer: z.object({ address: z.string(), type: z.enum(["mp4", "webm"]) }),
  problems: ["request.too_large", "media.empty", "media.no_film"],
});

export const showPicture = staffCall({
  method: "GET",
  path: "/api/staff/media/pictures/{id}",
  summary: "An uploaded picture, as WebP",
  permission: "coins",
  audit: null,
  params: z.object({ id: tokenParam }),
  answer: file,
  problems: [],
});
