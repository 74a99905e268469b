import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import { expect, test } from "vitest";
import { Fragments } from "#web/fragments/cached-fragment.tsx";
import { createFragmentCache } from "#web/fragments/fragment-cache.ts";
import { kopecks } from "#kit/money.ts";
import { CoinGrid } from "./coin-card.tsx";
import type { ShownCard } from "./card-view.ts";

const card: ShownCard = {
  id: 1276,
  slug: "lokomotiv-1-rubl-2023",
  picture: "lokomotiv-1-rubl-2023",
  isDrawing: true,
  title: "Локомотив, 1 рубль 2023",
  name: "Локомотив",
  sub: "1 рубль · 2023",
  metal: "silver",
  kind: "memorable",
  sign: "Ag 925",
  mass: "7,78 г",
  sizeMm: 25,
  price: kopecks(472_600),
  oldPrice: null,
  buyback: kopecks(143_200),
  spreadBp: 6_970,
  premiumBp: null,
  perGram: kopecks(60_800),
  available: 25,
  mintage: null,
  quality: "пруф",
  isLowest: true,
};
const cards: ShownCard[] = [
  card,
  { ...card, id: 2, slug: "sobol" },
  { ...card, id: 3, kind: "bullion", premiumBp: 550, oldPrice: kopecks(500_000), available: 1 },
  { ...card, id: 4, available: 0, price: null, buyback: null, spreadBp: null, sizeMm: null },
];

test("a list of cards from the cache has the markup of one that was rendered", () => {
  const { forRender } = createFragmentCache();
  const grid = (fragments: ReturnType<typeof forRender> | null) =>
    renderToString(
      <StaticRouter location="/catalog">
        <Fragments value={fragments}>
          <CoinGrid cards={cards} heading="h2" eager={1} />
        </Fragments>
      </StaticRouter>,
    );
  const first = forRender();
  const rendered = grid(first);
  // By itself, without a router: a card has links to coins only.
  first.storeMissed((of, props) => renderToString(createElement(of, props as never)));
  const second = forRender();
  expect(grid(second)).toBe(rendered);
  expect(grid(null)).toBe(rendered);
  // All but the eager card came from the cache: nothing is left to store.
  second.storeMissed(() => {
    throw new Error("a card was not cached");
  });
});
