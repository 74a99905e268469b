import { useEffect, useState } from "react";
import {
  data,
  redirect,
  useActionData,
  useFetcher,
  useLoaderData,
  useRevalidator,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { fieldMessages } from "#contract/fields.ts";
import { problems } from "#contract/problems.ts";
import { cleanText } from "#kit/text/clean-text.ts";
import { clock } from "#kit/format.ts";
import { isQuantity, maxQuantity } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import { isCoinId } from "#shop/catalog/coin.ts";
import * as lists from "#shop/lists/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import type { PageHandle } from "../page/page-handle.ts";
import { addIntent } from "./add-to-cart-form.tsx";
import { repeatIntent } from "../my/orders/repeat-form.tsx";
import { localPath } from "../page/local-path.ts";
import { refusedTitle } from "../page/meta.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { applyCart, refreshState, setCartQuantity } from "../shared/visitor-state.ts";
import { CartLineRow } from "./cart-line.tsx";
import { CartMetals } from "./cart-metals.tsx";
import { CartSummary } from "./cart-summary.tsx";
import { cartView } from "./cart-view.server.ts";
import { isShort, type CartAnswer } from "./cart-view.ts";
import { EmptyCart } from "./empty-cart.tsx";
import { MarketNote } from "./market-note.tsx";
import { promoParameter } from "./promo-code-form.tsx";
import { repeatFromForm, repeatedFrom } from "./repeat.server.ts";
import { RepeatedNote } from "./repeated.tsx";
import { useFreshCart } from "./use-fresh-cart.ts";
import "../shared/order-summary.css";
import "./cart.css";
import "../../styles/fields.css";

export const meta = ({ loaderData }: { loaderData?: { isRefused: boolean | undefined } }) =>
  personalMeta(refusedTitle("Корзина", loaderData?.isRefused));
export const headers = personalHeaders;
export const handle: PageHandle = { isPublic: false, showsLists: true, hasLivePrices: true, isBuying: true };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, visitor, isRefused } = context.get(pageContext);
  const addedFrom = new URL(request.url).searchParams.get(addedParameter);
  if (addedFrom !== null && visitor.browser !== null) throw redirect(localPath(addedFrom), 303);
  const [view, repeated] = await Promise.all([cartView(ctx, visitor.owner), repeatedFrom(ctx, request.url)]);
  return { ...view, isRefused, repeated, cookielessBack: addedFrom === null ? null : localPath(addedFrom) };
}

/**
 * Changes of the cart, with or without scripts: `add` pieces from another page, `set` a quantity by a button or `typed` (0 removes),
 * `clear`, `move_to_wishlist` (move everything to the wishlist), `repeat` an order, enter a promo code (at `/cart?promo`) or remove it
 * (`promo-off`).
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const page = context.get(pageContext);
  const { ctx, visitor } = page;
  const owner = visitor.owner;
  if (!owner) return { refusal: null };
  const form = await request.formData();
  const id = Number(form.get("id"));
  const refused = (answer: CartAnswer, status: number) => {
    page.isRefused = true;
    return data(answer, status);
  };
  const unknownCoin = () => refused({ refusal: problems["product.not_found"].message }, problems["product.not_found"].status);
  const badQuantity = () => refused({ refusal: "Количество — от 1 до 999", id }, 422);

  if (form.get("intent") === addIntent) {
    const more = Number(form.get("quantity"));
    if (!isCoinId(id)) return unknownCoin();
    if (!Number.isInteger(more) || more < 1) return badQuantity();
    const { lines } = await cart.read(ctx, owner);
    const set = await cart.setQuantity(
      ctx,
      owner,
      id,
      Math.min((lines.find((line) => line.coinId === id)?.quantity ?? 0) + more, maxQuantity),
    );
    if (!set.ok) return refused({ refusal: refusalText(set.error), id }, problems[set.error.code].status);
    const back = localPath(form.get("back"));
    // The next page shows whether the browser has stored its new cookie; a page cached for all visitors could not show it.
    throw redirect(hasName(request) ? back : `/cart?${new URLSearchParams({ [addedParameter]: back }).toString()}`, 303);
  }
  if (form.get("intent") === repeatIntent) {
    const repeated = await repeatFromForm(ctx, visitor, owner, form);
    if (!repeated) throw data(null, { status: 404 });
    throw repeated;
  }
  if (new URL(request.url).searchParams.has(promoParameter)) {
    const entry = form.get("code");
    const typed = typeof entry === "string" ? cleanText(entry).slice(0, 50) : "";
    const entered = typed === "" ? null : await cart.enterPromo(ctx, owner, typed, visitor.customerId);
    if (entered?.ok) return { refusal: null };
    const { status, message } = entered ? problems[entered.error.code] : { status: 422, message: fieldMessages.required };
    return refused({ refusal: null, promo: { typed, message } }, status);
  }
  if (form.get("intent") === "promo-off") {
    await cart.removePromo(ctx, owner);
  } else if (form.get("intent") === "clear") {
    await cart.clear(ctx, owner);
  } else if (form.get("intent") === "move_to_wishlist") {
    const { lines } = await cart.read(ctx, owner);
    for (const { coinId } of lines.toReversed()) {
      const added = await lists.add(ctx, owner, "wishlist", coinId);
      if (added.ok) await cart.remove(ctx, owner, [coinId]);
      else if (added.error.code !== "product.not_found") return refused({ refusal: problems[added.error.code].message }, 409);
    }
  } else if (form.has("quantity") || form.get("intent") === "typed") {
    if (!isCoinId(id)) return unknownCoin();
    const wanted = form.get(form.get("intent") === "typed" ? "quantityTyped" : "quantity");
    // An empty or missing number would read as 0, which removes the coin.
    const quantity = typeof wanted === "string" && wanted.trim() !== "" ? Number(wanted) : Number.NaN;
    if (!isQuantity(quantity)) return badQuantity();
    const set = await cart.setQuantity(ctx, owner, id, quantity);
    if (!set.ok) return refused({ refusal: refusalText(set.error), id }, problems[set.error.code].status);
  }
  return { refusal: null };
}

/** Query parameter: the page from which a browser without a cookie added its first coin. */
const addedParameter = "added-from";
const hasName = (request: Request): boolean => /(?:^|;\s*)(?:__Host-)?uid=/.test(request.headers.get("cookie") ?? "");

function refusalText(error: { code: keyof typeof problems; available?: number; limit?: number }): string {
  if (error.code === "cart.stock_short" && error.available !== undefined)
    return error.available > 0 ? `Столько нет: осталось ${error.available}` : "Монета закончилась";
  if (error.code === "cart.limit" && error.limit !== undefined) return `В один заказ можно не больше ${error.limit}`;
  return problems[error.code].message;
}

export default function CartPage() {
  const view = useLoaderData<typeof loader>();
  const whole = useFetcher<typeof action>({ key: "cart" });
  /** The answer to a form that was sent without scripts. */
  const answer = useActionData<CartAnswer>();
  const { lines, count } = view;
  const hasBullion = lines.some((line) => line.isBullion);
  const refusedLine = answer?.refusal ? lines.find(({ id }) => id === answer.id) : undefined;
  /** Prices cannot be locked before the exchange opens; the note above the lines says when. */
  const isWaiting = hasBullion && !view.market.isOpen;
  const { revalidate } = useRevalidator();
  /** The cart before «Очистить», to restore it while the page is open. */
  const [cleared, setCleared] = useState<typeof lines>([]);
  const restore = async () => {
    for (const line of cleared) await setCartQuantity(line.id, line.quantity);
    await revalidate();
  };
  const hasCoins = lines.length > 0 && whole.state === "idle";
  useEffect(() => {
    // Restored, filled again, or not emptied. A restoration that failed is offered again.
    if (hasCoins) setCleared((before) => (before.length > 0 ? [] : before));
  }, [hasCoins]);

  useFreshCart(count);
  useEffect(() => applyCart(count, Object.fromEntries(lines.map((line) => [line.id, line.quantity]))), [count, lines]);
  useEffect(() => {
    if (whole.state === "idle" && whole.data) void refreshState();
  }, [whole.state, whole.data]);

  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap">
        <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here="Корзина" />
        <div className="flow__head">
          <h1>Корзина{count > 0 ? <sup className="digits">{count}</sup> : null}</h1>
          {lines.length > 0 ? (
            <p>
              {!view.market.isOpen ? "Торги закрыты, цены на" : view.isStale ? "Последние цены, на" : "Цены живые, обновлены в"}{" "}
              <span className="digits">{clock(new Date(view.pricedAt))}</span>.{isWaiting ? "" : " Зафиксируем на оформлении."}
            </p>
          ) : null}
        </div>
        {view.repeated && (lines.length > 0 || view.repeated.left.length > 0) ? <RepeatedNote repeated={view.repeated} /> : null}
        {answer?.refusal && !refusedLine ? (
          <p className="error" role="alert">
            {answer.refusal}
          </p>
        ) : null}
        {view.cookielessBack !== null ? (
          <CookiesNeeded back={view.cookielessBack} />
        ) : lines.length === 0 ? (
          <EmptyCart
            text={view.emptyText}
            wishlistCount={view.wishlistCount}
            unpaid={view.unpaid}
            onRestore={cleared.length > 0 ? restore : undefined}
          />
        ) : (
          <div className="flow">
            <div>
              <MarketNote market={view.market} isStale={view.isStale} isDead={view.isDead} hasBullion={hasBullion} />
              <ul className="cart">
                {lines.map((line) => (
                  <CartLineRow key={line.id} line={line} refusal={line === refusedLine ? (answer?.refusal ?? null) : null} />
                ))}
              </ul>
              <whole.Form method="post" className="cart__foot">
                <button className="text-button" name="intent" value="clear" onClick={() => setCleared(lines)}>
                  Очистить корзину
                </button>
                <button className="text-button" name="intent" value="move_to_wishlist">
                  Перенести всё в избранное
                </button>
              </whole.Form>
              <p className="error" role="alert">
                {whole.data?.refusal ?? ""}
              </p>
              <CartMetals metals={view.metals} />
            </div>
            <CartSummary view={view} isBlocked={lines.some(isShort)} isWaiting={isWaiting} refusedPromo={answer?.promo} />
          </div>
        )}
      </div>
    </main>
  );
}

/** A coin was added by a form, and the browser did not send the cookie back. */
function CookiesNeeded({ back }: { back: string }) {
  return (
    <div className="aside" role="alert">
      <p>
        <b>Монета не добавлена: браузер не сохраняет cookie.</b> Без них магазин не узнает вашу корзину. Разрешите cookie для этого сайта и
        добавьте монету ещё раз.
      </p>
      <p>
        <a href={back}>Вернуться к монете</a>
      </p>
    </div>
  );
}
