import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import { expect, test } from "vitest";
import { pageBody } from "#main/pages/page-body.ts";
import { Fragments, type RenderFragments } from "#web/fragments/cached-fragment.tsx";
import { createFragmentCache, type RenderFragment } from "#web/fragments/fragment-cache.ts";
import { createInserts } from "#web/fragments/inserts.ts";
import { kopecks } from "#kit/money.ts";
import { CoinGrid } from "./coin-card.tsx";
import type { ShownCard } from "./card-view.ts";

const card: ShownCard = {
  id: 1276,
  slug: "lokomotiv-1-rubl-2023",
  picture: "lokomotiv-1-rubl-2023",
  alt: null,
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
  Object.freeze({ ...card, id: 5 }),
];

test("a list of cards from the cache has the markup of one that was rendered", () => {
  const cache = createFragmentCache();
  const grid = (fragments: RenderFragments | null) =>
    renderToString(
      <StaticRouter location="/catalog">
        <Fragments value={fragments}>
          <CoinGrid cards={cards} heading="h2" eager={1} />
        </Fragments>
      </StaticRouter>,
    );
  /** The list from the cache, where `render` renders what the cache does not have. */
  const cachedGrid = (render: RenderFragment) => {
    const inserts = createInserts("nonce");
    const fragments = cache.forRender(inserts);
    const html = grid(fragments);
    fragments.complete(render);
    return pageBody({ html, inserts: inserts.inserts }, "nonce").body.toString();
  };
  // By itself, without a router: a card has links to coins only.
  expect(cachedGrid((of, props) => renderToString(createElement(of, props as never)))).toBe(grid(null));
  const again = cachedGrid(() => {
    throw new Error("a card was not cached");
  });
  expect(again).toBe(grid(null));
});
