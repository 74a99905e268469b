import type { Ctx } from "#shop/context.ts";
import type { ContentKind } from "../entry.ts";
import type { StoredText, StoredPage } from "../repository.ts";
import type { TextData } from "../text-data.ts";
import { dataOf, type Editable } from "./editable.ts";
import * as rows from "./repository.ts";

/** The subject that this request previews, if it is of the kind: its draft, whether it is published or not. */
async function previewed(ctx: Ctx, kind: Editable["kind"]): Promise<Editable | null> {
  const [name, id] = ctx.preview?.split(":") ?? [];
  return name === kind ? rows.readOne(ctx.db, { kind, id: Number(id) }) : null;
}

/** The previewed text as a stored one; null: this request previews another. `name`: the slug or the id in the address. */
export async function entry(ctx: Ctx, kind: ContentKind, name?: string): Promise<StoredText | null> {
  const found = await previewed(ctx, kind);
  if (!found) return null;
  const { id, isDemo, slug } = found;
  const stored = { slug: slug ?? String(id), ...rows.asEntry(dataOf(found) as Exclude<TextData, { kind: "document" }>) };
  if (name !== undefined && name !== String(id) && name !== stored.slug) return null;
  return { kind, id, isDemo, publishedOn: null, lead: "", ...stored };
}

/** The previewed page with its own address; null: this request previews another. */
export async function sitePage(ctx: Ctx, path: string): Promise<StoredPage | null> {
  const found = await previewed(ctx, "document");
  if (!found) return null;
  const { kind: _kind, hasEditions: _editions, ...page } = dataOf(found) as TextData<"document">;
  return page.path === path ? { ...page, editedOn: found.editedOn } : null;
}
