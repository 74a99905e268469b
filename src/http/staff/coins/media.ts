import * as contract from "#contract/staff/coins/media.ts";
import { done, fail } from "#kit/result.ts";
import { filmAddress } from "#shop/media/film.ts";
import * as media from "#shop/media/service.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";

/** Uploads: decoded and re-encoded in another process before the transaction begins. */
export const mediaEndpoints: readonly StaffEndpoint[] = [
  staffChange(contract.uploadPicture, {
    prepare: async (ctx, { body }) => media.prepare(ctx, body as Buffer),
    change: async (ctx, { audit }, prepared) => {
      if (typeof prepared === "string") return fail({ code: prepared });
      const stored = await media.store(ctx.db, ctx, prepared);
      audit({ subject: `picture:${stored.id}`, after: { width: stored.width, height: stored.height } });
      return done(stored);
    },
  }),
  staffChange(contract.uploadFilm, {
    change: async (ctx, { body, audit }) => {
      const stored = await media.storeFilm(ctx.db, ctx, body as Buffer);
      if (typeof stored === "string") return fail({ code: stored });
      const { id, type, bytes } = stored;
      audit({ subject: `film:${id}`, after: { type, bytes: bytes.length } });
      return done({ address: filmAddress(stored), type });
    },
  }),
  staffRead(contract.showPicture, async (ctx, { params: { id } }) => {
    const bytes = await media.readBytes(ctx.db, id);
    return bytes ? done({ type: "image/webp", name: `${id}.webp`, bytes, isInline: true }) : fail({ code: "staff.not_found" });
  }),
];
