import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import * as cart from "./service.ts";
import { joinCarts, onShelf } from "./testing.ts";

/** What a cart should be, by rules that are easy to check. */
type ExpectedShop = { shelf: Map<number, number>; carts: Map<OwnerKey, Map<number, number>> };
const coinIds = [1, 2, 3, 4];
const maxLines = 3;
const price = 100_000;

let shop: TestShop;
let ctx: Ctx;
let round = 0;
beforeAll(async () => {
  shop = await testShop({ limits: { cartLines: maxLines } });
  ctx = shop.ctx;
  await onShelf(
    ctx,
    coinIds.map((id) => ({ id, pieces: 50 })),
  );
});
afterAll(() => shop.close());

const anOwner = fc.constantFrom("visitor" as const, "customer" as const);
const aCoinId = fc.constantFrom(...coinIds);
const aStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("set" as const), who: anOwner, id: aCoinId, quantity: fc.integer({ min: 0, max: 60 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), who: anOwner, ids: fc.array(aCoinId, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), who: anOwner }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("merge" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reserve" as const), id: aCoinId, left: fc.integer({ min: 0, max: 50 }) }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

/** Does one step in the shop and in the model; answers what each says. */
async function play(
  step: Step,
  model: ExpectedShop,
  ownerOf: Record<"visitor" | "customer", OwnerKey>,
): Promise<[real: unknown, expected: unknown]> {
  const linesOf = (who: "visitor" | "customer") => model.carts.get(ownerOf[who]) ?? new Map<number, number>();
  switch (step.kind) {
    case "set": {
      const result = await cart.setQuantity(ctx, ownerOf[step.who], step.id, step.quantity);
      const lines = linesOf(step.who);
      const left = model.shelf.get(step.id) ?? 0;
      if (step.quantity > left) return [!result.ok && result.error, { code: "cart.stock_short", available: left }];
      if (step.quantity > 0 && !lines.has(step.id) && lines.size >= maxLines)
        return [!result.ok && result.error, { code: "cart.full", limit: maxLines }];
      if (step.quantity === 0) lines.delete(step.id);
      else lines.set(step.id, step.quantity);
      return [result.ok, true];
    }
    case "remove":
      await cart.remove(ctx, ownerOf[step.who], step.ids);
      for (const id of step.ids) linesOf(step.who).delete(id);
      return [true, true];
    case "clear":
      await cart.clear(ctx, ownerOf[step.who]);
      linesOf(step.who).clear();
      return [true, true];
    case "merge": {
      const { capped } = await joinCarts(ctx, ownerOf.visitor, ownerOf.customer);
      const [from, to] = [linesOf("visitor"), linesOf("customer")];
      const reduced: { id: number; available: number }[] = [];
      for (const [id, quantity] of from) {
        const [left, wanted] = [model.shelf.get(id) ?? 0, Math.max(quantity, to.get(id) ?? 0)];
        if (!to.has(id) && to.size >= maxLines) reduced.push({ id, available: 0 });
        else {
          if (left < wanted) reduced.push({ id, available: left });
          to.set(id, Math.max(1, Math.min(left, wanted)));
        }
      }
      from.clear();
      return [capped, reduced];
    }
    case "reserve":
      await ctx.db.execute(sql`update stock_items set reserved = on_hand - ${step.left} where coin_id = ${step.id}`);
      model.shelf.set(step.id, step.left);
      return [true, true];
  }
}

test("after any sequence of changes by two people the carts equal those of a simple model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 40 }), async (steps) => {
      round += 1;
      const ownerOf = { visitor: `visitor:${round}`, customer: `customer:${round}` } as const;
      const model: ExpectedShop = {
        shelf: new Map(coinIds.map((id) => [id, 50])),
        carts: new Map([
          [ownerOf.visitor, new Map()],
          [ownerOf.customer, new Map()],
        ]),
      };
      await ctx.db.execute(sql`update stock_items set reserved = 0`);
      for (const step of steps) {
        shop.clock.advance(1); // lines are in the order in which they were added
        const [real, expected] = await play(step, model, ownerOf);
        expect(real).toEqual(expected);
        for (const [owner, lines] of model.carts) {
          const read = await cart.read(ctx, owner);
          expect(new Map(read.lines.map((line) => [line.coinId, line.quantity]))).toEqual(lines);
          const pieces = [...lines.values()].reduce((sum, quantity) => sum + quantity, 0);
          expect([read.count, read.total]).toEqual([pieces, pieces * price]);
        }
      }
    }),
    { numRuns: 40 },
  );
});
