import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { redirects } from "../tables.ts";
import type { StoredRedirect } from "./redirect.ts";

const columns = {
  path: redirects.path,
  target: redirects.target,
  isExternal: redirects.isExternal,
  isPermanent: redirects.isPermanent,
  isAutomatic: redirects.isAutomatic,
  revision: redirects.revision,
};

export const readAll = (db: Db): Promise<StoredRedirect[]> => db.select(columns).from(redirects).orderBy(asc(redirects.path));

export async function readOne(db: Db, path: string): Promise<StoredRedirect | null> {
  const [row] = await db.select(columns).from(redirects).where(eq(redirects.path, path));
  return row ?? null;
}

/** Adds a redirect, or changes the one from this path. */
export async function write(tx: Tx, redirect: Omit<StoredRedirect, "revision">): Promise<StoredRedirect> {
  const { path: _path, ...set } = redirect;
  const [row] = await tx
    .insert(redirects)
    .values({ ...redirect, updatedAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: redirects.path,
      set: { ...set, updatedAt: sql`clock_timestamp()`, revision: sql`${redirects.revision} + 1` },
    })
    .returning(columns);
  return row as StoredRedirect;
}

export async function remove(tx: Tx, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await tx.delete(redirects).where(inArray(redirects.path, [...paths]));
}

/** Redirects that lead to `from` lead to `to` from now on, so that none takes two steps. */
export async function retarget(tx: Tx, from: string, to: string, isExternal = false): Promise<void> {
  await tx
    .update(redirects)
    .set({ target: to, isExternal, updatedAt: sql`clock_timestamp()`, revision: sql`${redirects.revision} + 1` })
    .where(and(eq(redirects.target, from), eq(redirects.isExternal, false), ne(redirects.path, to)));
}
