/** Writes this module's tables for the seed. No other code imports it. */
import { sql } from "drizzle-orm";
import type { Tx } from "#kit/db.ts";
import { whereItDiffers } from "#kit/upsert.ts";
import type { PartData } from "./site/parts.ts";
import { contentEntries, redirects, sitePages, siteParts } from "./tables.ts";

export type EntryRow = typeof contentEntries.$inferInsert;
export type SitePageRow = typeof sitePages.$inferInsert;
export type RedirectRow = typeof redirects.$inferInsert;

/** What only editing changes. */
const edited = ["isPublished", "draft", "publishAt", "unpublishAt", "revision"];

/** Adds texts and updates existing ones. */
export async function writeEntries(tx: Tx, entries: readonly EntryRow[]): Promise<void> {
  await tx
    .insert(contentEntries)
    .values(entries.map((entry) => ({ isDemo: false, publishedOn: null, ...entry })))
    .onConflictDoUpdate({ target: [contentEntries.kind, contentEntries.id], ...whereItDiffers(contentEntries, ["kind", "id", ...edited]) });
}

/** Adds pages with their own addresses and updates existing ones. */
export async function writePages(tx: Tx, pages: readonly SitePageRow[]): Promise<void> {
  await tx
    .insert(sitePages)
    .values([...pages])
    .onConflictDoUpdate({ target: sitePages.path, ...whereItDiffers(sitePages, ["path", "id", ...edited]) });
}

/** Adds pages whose address is new. An existing page is not changed, because staff may have edited it. */
export async function addMissingPages(tx: Tx, pages: readonly SitePageRow[]): Promise<void> {
  await tx
    .insert(sitePages)
    .values([...pages])
    .onConflictDoNothing();
}

/** Adds redirects and updates existing ones. */
export async function writeRedirects(tx: Tx, list: readonly RedirectRow[]): Promise<void> {
  await tx
    .insert(redirects)
    .values([...list])
    .onConflictDoUpdate({ target: redirects.path, ...whereItDiffers(redirects, ["path", "revision", "isAutomatic"]) });
}

/**
 * Adds parts of the site that the shop does not have, and to the others, drafts included, the fields that did not exist when they were
 * saved. What is stored is not changed, because staff may have edited it.
 */
export async function addMissingParts(tx: Tx, parts: readonly PartData[]): Promise<void> {
  await tx
    .insert(siteParts)
    .values(parts.map((data) => ({ kind: data.kind, data })))
    .onConflictDoUpdate({
      target: siteParts.kind,
      set: {
        data: sql`excluded.data || ${siteParts.data}`,
        draft: sql`excluded.data || ${siteParts.draft}`,
        updatedAt: sql`clock_timestamp()`,
        revision: sql`${siteParts.revision} + 1`,
      },
      setWhere: sql`excluded.data || ${siteParts.data} <> ${siteParts.data}`,
    });
}
