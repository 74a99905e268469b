import type * as z from "zod";
import * as contract from "#contract/staff/coins/coins.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail } from "#kit/result.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import * as auditing from "#shop/audit/service.ts";
import { factProblems, factsOf, type CoinFacts } from "#shop/catalog/coin-rules.ts";
import { changesOf, factsBefore } from "#shop/catalog/editing/coin-versions.ts";
import { problemTexts } from "#shop/catalog/coin-texts.ru.ts";
import * as edits from "#shop/catalog/editing/edit.service.ts";
import * as coinPictures from "#shop/catalog/editing/pictures.service.ts";
import * as publishing from "#shop/catalog/editing/publish.service.ts";
import type { SidePictures } from "#shop/catalog/image.ts";
import { addPreview } from "#shop/catalog/editing/preview.service.ts";
import * as sections from "#shop/catalog/editing/sections.service.ts";
import * as catalog from "#shop/catalog/service.ts";
import { wasShown, type Coin } from "#shop/catalog/coin.ts";
import type { Ctx } from "#shop/context.ts";
import type { FactsChange } from "#shop/pricing/changes/price-change.ts";
import * as priceChanges from "#shop/pricing/changes/service.ts";
import { priceOf } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import { previewParameter, previewToken } from "#shop/staff/preview-token.ts";
import * as stock from "#shop/stock/service.ts";
import { editShown, newCoinShown } from "./coin-shown.ts";
import { coinRow, coinView, pricesOf, shopUrlOf } from "./coin-views.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { namedIn } from "../names.ts";

const coinsPerPage = 50;

/** Edits that the list of versions goes back. */
const versionsShown = 200;

/** Edits of a coin by hand and by imports, newest first. */
const changesOfCoin = (ctx: Ctx, id: number) =>
  auditing.list(
    ctx.db,
    { actor: null, subject: `coin:${id}`, action: "coin", from: null, till: null },
    { before: null, limit: versionsShown },
  );

const notFound = fail({ code: "staff.not_found" as const });

/** Coins: list, editor, publication and preview. */
export const coinEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readCoins, async (ctx, { query: { q, metal, kind, published, photo, stock: low, featured, cursor } }) => {
    const wanted = [
      ...(q ? [await edits.findIds(ctx.db, q)] : []),
      ...(featured ? [(await edits.featured(ctx.db)).map(({ id }) => id)] : []),
    ];
    // Most coins have a row of stock, so the few that are low are found by leaving out the others.
    const free = await stock.available(ctx.db);
    const plenty = low ? new Set([...free].flatMap(([id, pieces]) => (pieces > ctx.settings.limits.lowStockPieces ? [id] : []))) : null;
    const ids = await edits.listCoins(
      ctx.db,
      {
        ids: wanted.length === 0 ? null : (wanted[0] ?? []).filter((id) => wanted.every((each) => each.includes(id))),
        except: plenty,
        metal: metal ?? null,
        kind: kind ?? null,
        isPublished: published === undefined ? null : published === "yes",
        isWithoutPhoto: photo === "no",
      },
      cursor === undefined ? null : Number(cursor) || 0,
      coinsPerPage + 1,
    );
    const shown = ids.slice(0, coinsPerPage);
    const coins = new Map((await catalog.coinsByIds(ctx.db, shown)).map((coin) => [coin.id, coin]));
    const list = await pricing.current(ctx);
    return done({
      items: shown.flatMap((id) => {
        const coin = coins.get(id);
        return coin ? [coinRow(coin, priceOf(coin, list).price, free.get(id) ?? 0)] : [];
      }),
      next: ids.length > shown.length ? String(shown.at(-1)) : null,
    });
  }),

  staffRead(contract.readCoinForm, async (ctx) => {
    const [categories, series, words, masses, list] = await Promise.all([
      catalog.categories(ctx),
      sections.seriesList(ctx.db),
      edits.usedWords(ctx.db),
      edits.knownMasses(ctx.db),
      pricing.current(ctx),
    ]);
    return done({
      categories: categories.map(({ slug, title, parent }) => ({ slug, title, parent })),
      series: series.map(({ name }) => name),
      ...words,
      masses,
      rates: { goldE4: list.goldE4, silverE4: list.silverE4 },
      shopUrl: shopUrlOf(ctx),
    });
  }),

  // Before the card: `twin` is not an id.
  staffRead(contract.findCoinTwin, async (ctx, { query: { coin, id } }) => done({ twin: await edits.twinOf(ctx.db, id ?? null, coin) })),
  staffRead(contract.readCoin, async (ctx, { params: { id } }) => {
    const [coin] = await catalog.coinsByIds(ctx.db, [id]);
    return coin ? done(await coinView(ctx, coin)) : notFound;
  }),

  staffRead(contract.readCoinVersions, async (ctx, { params: { id } }) => {
    const [coin] = await catalog.coinsByIds(ctx.db, [id]);
    if (!coin) return notFound;
    const entries = await changesOfCoin(ctx, id);
    const named = await namedIn(
      ctx,
      entries.map(({ actor }) => actor),
    );
    return done({
      items: entries.map(({ id: entry, at, actor, action, before, after }) => ({
        id: entry,
        at: isoMoscow(at),
        actor: named(actor).name,
        action,
        before: before ?? null,
        after: after ?? null,
      })),
    });
  }),
  staffRead(contract.readCoinVersion, async (ctx, { params: { id, entry } }) => {
    const [coin] = await catalog.coinsByIds(ctx.db, [id]);
    const entries = await changesOfCoin(ctx, id);
    const place = entries.findIndex((each) => each.id === entry);
    if (!coin || place === -1 || !entries[place]?.before) return notFound;
    const facts = factsBefore(factsOf(coin), entries.slice(0, place + 1));
    // The address of a coin that was shown once does not change, also not back.
    return done({ facts: wasShown(coin) ? { ...facts, slug: coin.slug } : facts });
  }),

  staffChange(contract.addCoin, {
    check: async (ctx, { body: { prices, ...body } }) => checked(ctx, { ...body, id: null, revision: null, prices: pricesOf(prices) }),
    approval: (ctx, { body: { facts, prices } }) => {
      const first = pricesOf(prices);
      return priceChanges.reasonForNewCoins(ctx, [{ ...facts, ...first, premiumBp: first.premiumBp ?? 0 }]);
    },
    shown: async (ctx, { body: { facts, prices, isPublished } }) =>
      newCoinShown(facts, pricesOf(prices), await pricing.current(ctx), isPublished),
    change: async (ctx, { body: { prices, ...body }, audit }) =>
      saved(ctx, await edits.editCoin(ctx, { ...body, id: null, revision: null, prices: pricesOf(prices) }), audit),
  }),
  staffChange(contract.saveCoin, {
    check: (ctx, { params: { id }, body }) => checked(ctx, savedEdit(id, body)),
    approval: async (ctx, { params: { id }, body: { facts } }) => {
      const [before] = await catalog.coinsByIds(ctx.db, [id]);
      return before ? priceChanges.reasonForFacts(ctx, [factsChange(before, facts)]) : null;
    },
    shown: async (ctx, { params: { id }, body: { facts } }) => {
      const [before] = await catalog.coinsByIds(ctx.db, [id]);
      return before ? editShown(before, facts, await pricing.current(ctx)) : null;
    },
    change: async (ctx, { params: { id }, body, audit }) => {
      await priceChanges.lockForFacts(ctx);
      const result = await edits.editCoin(ctx, savedEdit(id, body));
      if (result.ok && result.value.before) await priceChanges.showFacts(ctx, [factsChange(result.value.before, result.value.after)]);
      return saved(ctx, result, audit);
    },
  }),
  staffChange(contract.publishCoin, {
    change: async (ctx, { params: { id }, body, audit }) => saved(ctx, await publishing.setPublished(ctx, { id, ...body }), audit),
  }),

  staffChange(contract.previewCoin, {
    change: async (ctx, { params: { id }, body: { facts, pictures }, audit }) => {
      const [coin] = await catalog.coinsByIds(ctx.db, [id]);
      if (!coin) return notFound;
      const known = new Set((await catalog.categories(ctx)).map(({ slug }) => slug));
      const problems = factProblems({ ...facts, motif: facts.motif || coin.motif }, known);
      if (problems.length > 0) return fail({ code: "coin.invalid", fields: problemTexts(problems) });
      return previewed(ctx, { ...coin, ...facts, slug: coin.slug }, pictures, `coin:${id}`, audit);
    },
  }),
  staffChange(contract.previewNewCoin, {
    change: async (ctx, { body: { facts, prices, pictures }, audit }) => {
      const draft = await edits.newCoinDraft(ctx, { facts, prices: pricesOf(prices) });
      if (!draft.ok) return fail({ code: draft.error.code, fields: problemTexts(draft.error.problems) });
      return previewed(ctx, draft.value, pictures, "coin:new", audit);
    },
  }),
];

/** The address of a draft's page; refuses a photograph that could not be saved. */
async function previewed(ctx: Ctx, draft: Coin, pictures: SidePictures, subject: string, audit: (event: AuditEvent) => void) {
  const side = await coinPictures.wrongSide(ctx.db, pictures);
  if (side) return fail({ code: "coin.picture_wrong" as const, data: { side } });
  const token = previewToken(ctx, await addPreview(ctx, draft, pictures));
  audit({ subject });
  return done({ url: `${shopUrlOf(ctx)}/products/${draft.slug}?${previewParameter}=${token}` });
}

type SaveBody = z.output<(typeof contract.saveCoin)["body"]>;
const savedEdit = (id: number, { isPublished, ...body }: SaveBody): edits.CoinEdit => ({
  ...body,
  ...(isPublished === undefined ? {} : { isPublished }),
  id,
  prices: null,
});

const factsChange = (before: Coin, facts: CoinFacts): FactsChange => ({
  before,
  after: { ...before, metal: facts.metal, kind: facts.kind, pureMassMg: facts.pureMassMg },
  wasShown: wasShown(before),
});

/** Refuses facts and prices that could not be saved, before a second person has to approve them. */
async function checked(ctx: Ctx, edit: edits.CoinEdit) {
  const planned = await edits.checkEdit(ctx, edit);
  return planned.ok ? planned : fail(await refusalOf(ctx, planned.error));
}

type Saved = Awaited<ReturnType<typeof edits.editCoin>>;

async function saved(ctx: Ctx, result: Saved, audit: (event: AuditEvent) => void) {
  if (!result.ok) return fail(await refusalOf(ctx, result.error));
  const { before, after } = result.value;
  audit({ subject: `coin:${after.id}`, ...changesOf(before, after) });
  return done(await coinView(ctx, after));
}

async function refusalOf(ctx: Ctx, error: Extract<Saved, { ok: false }>["error"]) {
  switch (error.code) {
    case "coin.not_found":
      return { code: "staff.not_found" as const };
    case "staff.stale":
      return {
        code: error.code,
        data: { current: await coinView(ctx, error.current), revision: error.current.revision, fields: error.fields },
      };
    case "coin.invalid":
      return { code: error.code, fields: problemTexts(error.problems) };
    case "coin.duplicate":
      return { code: error.code, data: error.duplicate };
    case "coin.picture_wrong":
      return { code: error.code, data: { side: error.side } };
    case "coin.not_ready":
      return { code: error.code, data: { reasons: error.reasons } };
  }
}
