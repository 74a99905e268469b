import type { Ctx } from "#shop/context.ts";
import { documentPdf } from "./document-pdf.ts";
import { isSitePath } from "./entry.ts";
import { filled, filledMarkdown } from "./placeholders.ts";
import * as rows from "./repository.ts";
import { valuesOf } from "./service.ts";

type Made = { from: string; bytes: Promise<Buffer> };

/** The page at this address as a PDF; null if there is none. Rendered once per text and process; an edit gives a new file. */
export async function pagePdf(ctx: Ctx, path: string): Promise<Buffer | null> {
  const page = isSitePath(path) ? await rows.readSitePage(ctx.db, path) : null;
  if (!page) return null;
  const { shop, publicUrl } = ctx.settings;
  const values = valuesOf(ctx);
  const text = {
    title: filled(page.title, values),
    markdown: filledMarkdown(page.body, values),
    author: values.LEGAL_NAME ?? shop.name,
    editedOn: page.editedOn,
    publicUrl,
  };
  const from = JSON.stringify(text);
  const kept = ctx.singleton("content.pdf", () => new Map<string, Made>());
  const known = kept.get(path);
  if (known?.from === from) return known.bytes;
  const bytes = documentPdf(text);
  kept.set(path, { from, bytes });
  bytes.catch(() => kept.delete(path)); // the caller gets the error; the next call tries again
  return bytes;
}
