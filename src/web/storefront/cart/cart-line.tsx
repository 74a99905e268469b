import { Link, useFetcher } from "react-router";
import { counted, grams, nbsp, pieceForms, plural } from "#kit/format.ts";
import { times } from "#kit/money.ts";
import { routerState } from "#web/client/router-state.ts";
import { Icon } from "../../ui/icon.tsx";
import { Live, Price } from "../../ui/price.tsx";
import { Stepper } from "../../ui/fields/stepper.tsx";
import { splitTitle } from "../shared/coin-title.ts";
import { isShort, maxQuantityOf, type CartPageLine } from "./cart-view.ts";

/** All coins of the cart are drawn to one scale; a coin of this diameter or more fills its column. */
const widestMm = 39;
const metalWords = { gold: "золота", silver: "серебра" } as const;

/**
 * One line of the cart. Changes show at once and are reverted with a message when the server refuses them. `refusal`: the answer to a form
 * of this line that was sent without scripts.
 */
export function CartLineRow({ line, refusal }: { line: CartPageLine; refusal: string | null }) {
  const key = `cart-${line.id}`;
  const fetcher = useFetcher<{ refusal: string | null }>({ key });
  const wanted = fetcher.formData ? Number(fetcher.formData.get("quantity")) : line.quantity;
  const set = (quantity: number) => void fetcher.submit({ id: line.id, quantity }, { method: "post", action: "/cart" });
  const most = Math.max(maxQuantityOf(line), 1);
  const step = (by: number) => {
    const pending = routerState()?.fetchers.get(key)?.formData;
    set(Math.min(Math.max((pending ? Number(pending.get("quantity")) : line.quantity) + by, 1), most));
  };
  const { name, issue } = splitTitle(line.title);
  const share = Math.min(100, Math.round(((line.diameterMm ?? widestMm) / widestMm) * 100));
  const short = isShort(line) && wanted === line.quantity;
  const taken = Math.min(wanted, Math.max(line.available, 0));
  const href = `/products/${line.slug}`;
  const message = fetcher.data ? fetcher.data.refusal : refusal;
  if (wanted === 0) return null;

  return (
    <li className="cart__row">
      <Link to={href} tabIndex={-1} aria-hidden="true" className="cart__image">
        <img className={`coin coin--${line.metal} percent-${share}`} src={line.image} width="96" height="96" alt="" loading="lazy" />
      </Link>
      <div className="cart__name">
        <b>
          <Link to={href}>{name}</Link>
        </b>
        {issue ? <small>{issue}</small> : null}
        <small>
          {grams(line.pureMassMg)} {metalWords[line.metal]}
          {line.buyback !== null ? (
            <>
              , выкуп <Price amount={line.buyback} />
            </>
          ) : null}
        </small>
      </div>
      <fetcher.Form method="post" action="/cart">
        <input type="hidden" name="id" value={line.id} />
        <Stepper label={`Количество: ${line.title}`} name="quantity" value={wanted} max={most} isBad={short} onValue={set} onStep={step} />
      </fetcher.Form>
      <div className="cart__price">
        {line.price === null ? (
          <b>нет цены</b>
        ) : (
          <>
            <Live value={line.price} as="b">
              <Price amount={times(line.price, taken)} />
            </Live>
            {line.oldPrice !== null ? (
              <small>
                <s>
                  <span className="visually-hidden">прежняя цена </span>
                  <Price amount={times(line.oldPrice, taken)} />
                </s>
              </small>
            ) : null}
            <small>
              {short ? (
                line.available > 0 ? (
                  `в сумме ${counted(line.available, pieceForms)}`
                ) : (
                  "в сумму не входит"
                )
              ) : (
                <>
                  {wanted}
                  {nbsp}×{nbsp}
                  <Price amount={line.price} />
                </>
              )}
            </small>
            {line.nextStep && !short ? (
              <small>
                ещё {line.nextStep.missing} шт. — по <Price amount={line.nextStep.price} />
              </small>
            ) : null}
          </>
        )}
      </div>
      <fetcher.Form method="post" action="/cart" className="cart__remove" onSubmit={focusNeighbour}>
        <input type="hidden" name="id" value={line.id} />
        <button className="tool" name="quantity" value="0" aria-label={`Убрать: ${line.title}`}>
          <Icon name="close" />
        </button>
      </fetcher.Form>
      {short ? (
        <div className="cart__warning">
          <p className="error" role="status">
            {line.available > 0
              ? `${plural(line.available, ["Осталась", "Осталось", "Осталось"])} ${counted(line.available, pieceForms)}, ` +
                `вы просили ${line.quantity}`
              : "Монета закончилась"}
          </p>
          {line.available > 0 ? (
            <button className="button button--line button--small" type="button" onClick={() => set(line.available)}>
              Взять {counted(line.available, ["штуку", "штуки", "штук"])}
            </button>
          ) : null}
        </div>
      ) : null}
      {message && fetcher.state === "idle" ? (
        <div className="cart__warning">
          <p className="error" role="alert">
            {message}
          </p>
        </div>
      ) : null}
    </li>
  );
}

/** The pressed button is removed with its line: focus moves to the next line's button, else to the page. */
function focusNeighbour(event: React.FormEvent<HTMLFormElement>): void {
  const row = event.currentTarget.closest("li");
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const next = neighbour?.querySelector<HTMLElement>(".cart__remove button") ?? document.getElementById("main");
  next?.focus();
}
