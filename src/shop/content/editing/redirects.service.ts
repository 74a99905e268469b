import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { entryHref } from "../entry.ts";
import type { ContentKind } from "../entry.ts";
import { textKinds, type TextData } from "../text-data.ts";
import { missingPages, noPage } from "../site/part-faults.service.ts";
import type { Editable } from "./editable.ts";
import { faultsOf, isOutside, withoutOwnHost, type NewRedirect, type StoredRedirect } from "./redirect.ts";
import * as rows from "./redirects.repository.ts";
import * as texts from "./repository.ts";

export type RedirectError =
  | { code: "staff.not_found" }
  | { code: "staff.stale"; current: StoredRedirect | null }
  | { code: "request.invalid"; fields: Record<string, string> };
type Changed = Result<{ before: StoredRedirect | null; after: StoredRedirect | null }, RedirectError>;

/** All redirects by path. */
export const list = (ctx: Ctx): Promise<StoredRedirect[]> => rows.readAll(ctx.db);

/**
 * Adds a redirect (`revision` null), or changes the one that the editor saw. Redirects that lead to its path lead to its target from now
 * on, so that none takes two steps. A full address of the shop itself is stored as its path. Refuses with `request.invalid` (address
 * taken, loop, chain, target that is not a page, not https) and `staff.stale` (there is one already, or another revision).
 */
export const save = (ctx: Ctx, typed: NewRedirect, revision: number | null): Promise<Changed> =>
  inTransaction(ctx.db, async (tx) => {
    const redirect = { ...typed, target: withoutOwnHost(typed.target, ctx.settings.publicUrl) };
    await texts.lockChanges(tx);
    const all = await rows.readAll(tx);
    const before = all.find(({ path }) => path === redirect.path) ?? null;
    if ((before?.revision ?? null) !== revision) return fail({ code: "staff.stale", current: before });
    const others = all.filter(({ path }) => path !== redirect.path);
    const live = await livePaths(tx);
    const isMissing = (await missingPages(tx, [redirect.target], live)).has(redirect.target);
    const faults = faultsOf(redirect, others, live) ?? (isMissing ? { target: noPage } : null);
    if (faults) return fail({ code: "request.invalid", fields: faults });
    const isExternal = isOutside(redirect.target);
    await rows.retarget(tx, redirect.path, redirect.target, isExternal);
    return done({ before, after: await rows.write(tx, { ...redirect, isExternal, isAutomatic: false }) });
  });

/** Removes a redirect; its path answers 404 again. Refuses with `staff.not_found` and `staff.stale`. */
export const remove = (ctx: Ctx, path: string, revision: number): Promise<Changed> =>
  inTransaction(ctx.db, async (tx) => {
    await texts.lockChanges(tx);
    const before = await rows.readOne(tx, path);
    if (!before) return fail({ code: "staff.not_found" });
    if (before.revision !== revision) return fail({ code: "staff.stale", current: before });
    await rows.remove(tx, [path]);
    return done({ before, after: null });
  });

/**
 * Redirects the former addresses of a text to its new one, with the redirects that led to them, and removes a redirect from the new one.
 */
export async function afterRenaming(tx: Tx, from: readonly string[], to: string): Promise<void> {
  await rows.remove(tx, [to]);
  for (const path of from) {
    await rows.retarget(tx, path, to);
    await rows.write(tx, { path, target: to, isExternal: false, isPermanent: true, isAutomatic: true });
  }
}

/** Removes the redirect from an address at which a page is published. */
export const endAt = (tx: Tx, path: string): Promise<void> => rows.remove(tx, [path]);

/** Addresses of everything that is published. */
async function livePaths(tx: Tx): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for (const textKind of textKinds) {
    const published = (await texts.readAll(tx, textKind)).filter(({ isPublished }) => isPublished);
    for (const path of published.flatMap(({ kind, id, live }) => addressesOf(kind, id, live))) paths.add(path);
  }
  return paths;
}

/** Addresses that a link of the site can lead to: of everything that is published, and of redirects. */
export async function linkablePaths(tx: Tx): Promise<ReadonlySet<string>> {
  const live = await livePaths(tx);
  const all = await rows.readAll(tx);
  return new Set([...live, ...all.map(({ path }) => path)]);
}

/** The addresses of a text, its own one first: training articles and promos are found by their slug too. */
export function addressesOf(kind: Editable["kind"], id: number, data: Editable["live"]): string[] {
  if (data.kind === "document") return [data.path];
  if (!("slug" in data)) return [];
  const { slug } = data as Extract<TextData, { slug: string }>;
  const own = entryHref({ kind: kind as ContentKind, id, slug });
  const bySlug = { news: "news", training: "training", case: "cases", promo: "promo" }[data.kind];
  return own === null ? [] : [...new Set([own, `/${bySlug}/${slug}`])];
}
