import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "../repository.ts";
import {
  emptyParts,
  isOpen,
  type Banner,
  type CoinFilm,
  type HomeBlock,
  type MenuPart,
  type PageWords,
  type PartData,
  type PartKind,
} from "./parts.ts";

type Parts = { [K in PartKind]: PartData<K> };
type PartsCache = {
  parts: Parts;
  /** The content's version that the parts were read at, and the newest that this process saw. */
  readAt: string | null;
  seen: string | null;
  checkedAt: number;
  refreshing: Promise<void> | null;
};

/** The blocks of the home page whose time it is, and its title for search engines. */
export async function home(ctx: Ctx): Promise<{ title: string; description: string; blocks: HomeBlock[] }> {
  const { title, description, blocks } = await part(ctx, "home");
  return { title, description, blocks: blocks.filter((each) => isVisible(ctx, each)) };
}

/** The line above the header; null: none now. */
export async function banner(ctx: Ctx): Promise<Banner | null> {
  return (await part(ctx, "banner")).banners.find((each) => isVisible(ctx, each)) ?? null;
}

/** The menus of the site. */
export const menu = (ctx: Ctx): Promise<MenuPart> => part(ctx, "menu");

/** The films that are shown. */
export async function films(ctx: Ctx): Promise<CoinFilm[]> {
  return (await part(ctx, "films")).films.filter(({ isOn }) => isOn);
}

/** The words of pages that staff may change. */
export const pageWords = (ctx: Ctx): Promise<PageWords> => part(ctx, "pages");

/** The groups of questions below the text of a plain page, in their order. */
export async function questionGroups(ctx: Ctx, page: string): Promise<string[]> {
  const { groups } = await part(ctx, "questions");
  return groups.filter(({ pages }) => pages.includes(page)).map(({ name }) => name);
}

/**
 * A version that changes with each edit that visitors see, and when the time of a block or a banner begins or ends. Cheap enough to read
 * every second.
 */
export async function version(ctx: Ctx): Promise<string> {
  const cache = cacheOf(ctx);
  cache.seen = await rows.readVersion(ctx.db);
  if (cache.seen === cache.readAt) cache.checkedAt = ctx.now().getTime(); // they need not be read for it
  const { home: page, banner: line } = await current(ctx);
  const open = [...page.blocks, ...line.banners].filter((each) => isVisible(ctx, each)).map(({ id }) => id);
  return `${cache.readAt} ${open.join(",")}`;
}

const isVisible = (ctx: Ctx, each: HomeBlock | Banner): boolean => each.isOn && isOpen(each, ctx.now());

async function part<K extends PartKind>(ctx: Ctx, kind: K): Promise<Parts[K]> {
  if (ctx.preview === `${kind}:1`) {
    const draft = await rows.readPartDraft(ctx.db, kind);
    if (draft) return draft as Parts[K];
  }
  return (await current(ctx))[kind];
}

/**
 * The parts as visitors see them, at most one second behind the database by the shop's clock, and never older than a version that was seen.
 */
async function current(ctx: Ctx): Promise<Parts> {
  const cache = cacheOf(ctx);
  const now = ctx.now().getTime();
  if (cache.readAt === null || cache.readAt !== cache.seen || Math.abs(now - cache.checkedAt) >= seconds(1)) {
    cache.refreshing ??= withoutDeadline(() => refresh(ctx, cache, now)).finally(() => (cache.refreshing = null));
    await cache.refreshing;
  }
  return cache.parts;
}

async function refresh(ctx: Ctx, cache: PartsCache, now: number): Promise<void> {
  const stored = await rows.readVersion(ctx.db); // before the parts, which are therefore not older
  if (cache.readAt !== stored)
    cache.parts = { ...emptyParts, ...Object.fromEntries((await rows.readParts(ctx.db)).map((each) => [each.kind, each])) };
  Object.assign(cache, { readAt: stored, seen: stored, checkedAt: now });
}

const cacheOf = (ctx: Ctx): PartsCache =>
  ctx.singleton("content.parts", () => ({ parts: emptyParts, readAt: null, seen: null, checkedAt: 0, refreshing: null }));
