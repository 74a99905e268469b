import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { Field } from "../../ui/fields/field.tsx";
import type { CartAnswer, RefusedPromo } from "./cart-view.ts";

/** The query parameter of the form's address, by which the requests for codes are counted. */
export const promoParameter = "promo";

/**
 * The promo code of the cart: a form to enter one, folded because few buyers have one, or the entered one with a button that removes it.
 */
export function PromoCodeForm({ promo, refused }: { promo: { code: string; message: string | null } | null; refused?: RefusedPromo }) {
  const fetcher = useFetcher<CartAnswer>({ key: "promo" });
  const isBusy = fetcher.state !== "idle";
  const wrong = fetcher.data ? fetcher.data.promo : refused;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fetcher.data?.promo) input.current?.focus(); // the pressed button was disabled meanwhile
  }, [fetcher.data]);
  if (promo)
    return (
      <fetcher.Form method="post" action="/cart" className="promo-code promo-code--entered">
        <p className={promo.message ? "error" : "bill__note"} role="status">
          {promo.message ?? `Промокод ${promo.code} применён.`}
        </p>
        <button className="text-button" name="intent" value="promo-off" disabled={isBusy}>
          Убрать промокод {promo.code}
        </button>
      </fetcher.Form>
    );
  return (
    <details className="promo-code" open={wrong !== undefined || undefined}>
      <summary className="text-button">Ввести промокод</summary>
      <fetcher.Form method="post" action={`/cart?${promoParameter}`} className="promo-code__row" noValidate>
        <Field
          ref={input}
          label="Промокод"
          name="code"
          required
          maxLength={50}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          defaultValue={wrong?.typed}
          error={wrong?.message}
          isErrorAnnounced
        />
        <button className="button button--line" name="intent" value="promo" disabled={isBusy}>
          Применить
        </button>
      </fetcher.Form>
    </details>
  );
}
