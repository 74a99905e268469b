import type * as z from "zod";
import * as contract from "#contract/staff/prices/promo-codes.ts";
import { dayAndTime, percent, priceText } from "#kit/format.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { fromRoubles, toRoubles } from "#kit/money.ts";
import { done, fail } from "#kit/result.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import * as catalogue from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import { promoStateFault, type PromoCode } from "#shop/pricing/promo-codes/promo-code.ts";
import * as promoCodes from "#shop/pricing/promo-codes/service.ts";
import { pageOf, readNumberCursor } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { namedIn } from "../names.ts";
import { isoOrNull } from "../views.ts";

const pageSize = 50;

const stateWords = { ended: "ended", not_started: "waiting", spent: "spent" } as const;
function stateOf(code: PromoCode, now: Date) {
  if (code.isStopped) return "stopped" as const;
  const fault = promoStateFault(code, now);
  return fault === null ? ("active" as const) : stateWords[fault];
}

async function views(ctx: Ctx, codes: readonly PromoCode[]) {
  const ids = [...new Set(codes.flatMap(({ coinIds }) => coinIds ?? []))];
  const titles = new Map(ids.length === 0 ? [] : (await catalog.pricedCoins(ctx.db, { ids })).map(({ id, title }) => [id, title]));
  const named = await namedIn(
    ctx,
    codes.map(({ createdBy }) => createdBy),
  );
  return codes.map((stored) => {
    const { coinIds, categories, isStopped: _, ...code } = stored;
    return {
      ...code,
      sum: code.sum === null ? null : toRoubles(code.sum),
      minSum: toRoubles(code.minSum),
      startsAt: isoMoscow(code.startsAt),
      endsAt: isoOrNull(code.endsAt),
      createdAt: isoMoscow(code.createdAt),
      createdBy: named(code.createdBy).name,
      coins: coinIds?.map((id) => ({ id, title: titles.get(id) ?? String(id) })) ?? null,
      categories: categories === null ? null : [...categories],
      state: stateOf(stored, ctx.now()),
    };
  });
}

async function view(ctx: Ctx, code: PromoCode) {
  const [made] = await views(ctx, [code]);
  if (!made) throw new Error("a promo code without its view");
  return made;
}

type Body = z.output<(typeof contract.createPromoCode)["body"]>;
const newCode = ({ sum, minSum, startsAt, endsAt, ...body }: Body): promoCodes.NewPromoCode => ({
  ...body,
  sum: sum === null ? null : fromRoubles(sum),
  minSum: fromRoubles(minSum),
  startsAt: new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
});

/** A new code as the person who approves it reads it. */
async function codeShown(ctx: Ctx, body: Body): Promise<Record<string, string>> {
  const { code, percentBp, sum, minSum, startsAt, endsAt, maxUses, maxUsesPerPerson, coinIds, categories, isWithPromos } = body;
  const titles = coinIds === null ? null : (await catalog.pricedCoins(ctx.db, { ids: coinIds })).map(({ title }) => title);
  const sections = new Map((await catalogue.categories(ctx)).map(({ slug, title }) => [slug, title]));
  const times = (count: number | null): string => (count === null ? "без предела" : String(count));
  return {
    Промокод: code,
    Скидка: percentBp === null ? priceText(fromRoubles(sum ?? 0)) : `${percent(percentBp)} %`,
    "Заказ от": priceText(fromRoubles(minSum)),
    Начало: dayAndTime(new Date(startsAt)),
    Конец: endsAt === null ? "без срока" : dayAndTime(new Date(endsAt)),
    "Применить раз": times(maxUses),
    "Применить раз одному покупателю": times(maxUsesPerPerson),
    "Для монет": titles === null ? "все" : namesOf(titles),
    "Для разделов": categories === null ? "все" : namesOf(categories.map((slug) => sections.get(slug) ?? slug)),
    "Вместе с акциями": isWithPromos ? "да" : "нет",
  };
}

const namesShown = 10;
const namesOf = (names: readonly string[]): string =>
  names.slice(0, namesShown).join("; ") + (names.length > namesShown ? ` и ещё ${names.length - namesShown}` : "");

export const promoCodeEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readPromoCodes, async (ctx, { query: { cursor } }) => {
    const before = readNumberCursor(cursor);
    const found = await promoCodes.list(ctx.db, { before, limit: pageSize + 1 });
    const { items, next } = pageOf(pageSize, found, ({ id }) => id);
    return done({ items: await views(ctx, items), next });
  }),
  staffRead(contract.readPromoCode, async (ctx, { params: { id }, query: { cursor } }) => {
    const code = await promoCodes.find(ctx.db, id);
    if (!code) return fail({ code: "staff.not_found" });
    const at = readNumberCursor(cursor);
    const before = at === null ? null : new Date(at);
    const found = await promoCodes.uses(ctx.db, id, { before, limit: pageSize + 1 });
    const { items: uses, next } = pageOf(pageSize, found, ({ usedAt }) => usedAt.getTime());
    const numbers = await orders.numbersOf(
      ctx.db,
      uses.map(({ orderId }) => orderId),
    );
    return done({
      code: await view(ctx, code),
      items: uses.map((use) => ({
        ...use,
        number: numbers.get(use.orderId) ?? null,
        discount: toRoubles(use.discount),
        usedAt: isoMoscow(use.usedAt),
        returnedAt: isoOrNull(use.returnedAt),
      })),
      next,
    });
  }),
  staffChange(contract.createPromoCode, {
    approval: async (ctx, { body }) => promoCodes.reasonFor(ctx, newCode(body)),
    shown: async (ctx, { body }) => ({ before: {}, after: await codeShown(ctx, body) }),
    change: async (ctx, { body, audit }) => {
      const made = await promoCodes.create(ctx, newCode(body));
      if (!made.ok) {
        if (made.error.code === "promo_code.taken") return fail({ code: "promo_code.taken", fields: { code: "Такой промокод уже есть" } });
        return fail({ code: "request.invalid", fields: { [made.error.field]: made.error.message } });
      }
      audit({ subject: `promo-code:${made.value.id}`, after: body });
      return done(await view(ctx, made.value));
    },
  }),
  staffChange(contract.stopPromoCode, {
    change: async (ctx, { params: { id }, audit }) => {
      const before = await promoCodes.find(ctx.db, id);
      const stopped = before && (await promoCodes.stop(ctx, id));
      if (!stopped) return fail({ code: "staff.not_found" });
      audit({ subject: `promo-code:${id}`, before: { isStopped: before.isStopped }, after: { isStopped: true, used: stopped.used } });
      return done(await view(ctx, stopped));
    },
  }),
];
