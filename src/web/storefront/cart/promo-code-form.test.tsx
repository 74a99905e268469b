import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { PromoCodeForm } from "./promo-code-form.tsx";

const shown = (props: Parameters<typeof PromoCodeForm>[0]): string =>
  renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: "/", element: <PromoCodeForm {...props} /> }])} />);

test("without scripts a refused promo code stays in its field, with the reason beside it", () => {
  const page = shown({ promo: null, refused: { typed: "осень", message: "Такого промокода нет" } });
  expect(page).toContain('action="/cart?promo"');
  expect(page).toMatch(/<input[^>]*value="осень"/);
  expect(page).toMatch(/<input[^>]*aria-invalid="true"/);
  expect(page).toContain("Такого промокода нет");
  expect(page).toContain('<details class="promo-code" open');
});

test("the form is folded until a code is refused", () => {
  expect(shown({ promo: null })).toContain('<details class="promo-code"><summary');
});

test("an entered promo code is named with a button that removes it; one that takes off nothing says why", () => {
  expect(shown({ promo: { code: "ВЕСНА", message: null } })).toContain("Промокод ВЕСНА применён.");
  const page = shown({ promo: { code: "ВЕСНА", message: "Промокод действует, если монеты стоят от 10 000 ₽" } });
  expect(page).toContain("если монеты стоят от");
  expect(page).toMatch(/<button[^>]*value="promo-off"[^>]*>Убрать промокод ВЕСНА/);
});
