import { redirect } from "react-router";
import { cleanText } from "#kit/text/clean-text.ts";
import { maxQuantity } from "#shop/cart/cart.ts";
import * as catalog from "#shop/catalog/service.ts";
import { repeatOrder } from "#shop/checkout/repeat.service.ts";
import type { Ctx, OwnerKey, Visitor } from "#shop/context.ts";
import type { Repeated } from "./repeated.tsx";

/**
 * Repeats the order that the form names, for its customer or by the key of its link, and redirects to the cart. The cart's address says
 * what was left out.
 */
export async function repeatFromForm(ctx: Ctx, visitor: Visitor, owner: OwnerKey, form: FormData): Promise<Response | null> {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? cleanText(value) : "";
  };
  const orderId = text("order");
  const key = text("key");
  const own = visitor.customerId ? await repeatOrder(ctx, owner, { orderId, viewer: { customerId: visitor.customerId } }) : null;
  const repeated = own ?? (key === "" ? null : await repeatOrder(ctx, owner, { orderId, viewer: { guestKey: key } }));
  if (!repeated) return null;
  const query = new URLSearchParams({ repeated: String(repeated.number) });
  for (const { coinId, got, wanted } of repeated.leftOut) query.append("left", `${coinId}.${got}.${wanted}`);
  return redirect(`/cart?${query}`, 303);
}

const maxLeftOut = 50;

/**
 * Parses what the cart's address says of a repeated order. The address may be forged, so only known coins and plausible numbers are shown.
 */
export async function repeatedFrom(ctx: Ctx, url: string): Promise<Repeated | null> {
  const { searchParams } = new URL(url);
  const number = Number(searchParams.get("repeated"));
  if (!Number.isSafeInteger(number) || number < 1) return null;
  const left = searchParams
    .getAll("left")
    .slice(0, maxLeftOut)
    .flatMap((text) => {
      const [, id, got, wanted] = /^([1-9]\d{0,8})\.(\d{1,3})\.(\d{1,3})$/.exec(text) ?? [];
      const line = { id: Number(id), got: Number(got), wanted: Number(wanted) };
      return id !== undefined && line.got < line.wanted && line.wanted <= maxQuantity ? [line] : [];
    });
  const titles = new Map(
    (
      await catalog.coinsByIds(
        ctx.db,
        left.map(({ id }) => id),
      )
    ).map((coin) => [coin.id, coin.title]),
  );
  return { number, left: left.flatMap(({ id, ...rest }) => (titles.has(id) ? [{ ...rest, id, title: titles.get(id) ?? "" }] : [])) };
}
