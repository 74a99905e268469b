import * as z from "zod";
import { minutes, plus } from "#kit/time.ts";
import type { Ctx, PreviewSubject } from "#shop/context.ts";
import type { Coin } from "./coin.ts";
import * as rows from "./edit.repository.ts";

/** Stores a draft for as long as the address of a preview works. Returns what the token of that address shows. */
export async function addPreview(ctx: Pick<Ctx, "db" | "now" | "settings">, draft: Coin): Promise<PreviewSubject> {
  const expiresAt = plus(ctx.now(), minutes(ctx.settings.limits.previewMinutes));
  return `coin-draft:${await rows.addPreview(ctx.db, { draft, expiresAt }, ctx.now())}`;
}

/** The draft that this page request may show for the coin of its address; null: none. */
export async function previewedCoin({ db, now, preview }: Pick<Ctx, "db" | "now" | "preview">, slug: string): Promise<Coin | null> {
  const [kind, id] = preview?.split(":") ?? [];
  const draft = kind === "coin-draft" ? await rows.readPreview(db, Number(id), now()) : null;
  if (draft === null) return null;
  const coin = storedDraft.parse(draft) as unknown as Coin;
  return coin.slug === slug ? coin : null;
}

/** Times come back from JSON as texts; everything else was checked before it was stored. */
const storedDraft = z.looseObject({
  slug: z.string(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  publishedAt: z.coerce.date().nullable(),
});
