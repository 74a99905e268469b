import { expect, test } from "vitest";
import { planChunks } from "./chunks.build.ts";

const imports: Record<string, string[]> = {
  "/web/entry.client.tsx": ["/node_modules/react/index.js", "/web/lost-chunk.ts"],
  "/web/root.tsx": ["/node_modules/react/index.js", "/web/storefront/frame/frame.tsx"],
  "/web/storefront/frame/frame.tsx": ["/web/ui/icon.tsx"],
  "/web/storefront/home/home-page.tsx": [
    "/web/ui/icon.tsx",
    "/web/storefront/catalog/cards/coin-card.tsx",
    "/web/storefront/home/plate.tsx",
  ],
  "/web/storefront/catalog/listing/catalog-page.tsx": ["/web/storefront/catalog/cards/coin-card.tsx", "/web/ui/slider.tsx"],
  "/web/storefront/catalog/search/search-page.tsx": ["/web/ui/slider.tsx"],
  "/web/storefront/catalog/cards/coin-card.tsx": ["/web/storefront/catalog/cards/list-button.tsx"],
  "/web/storefront/product/product-page.tsx": ["/web/storefront/product/gallery.tsx", "/web/ui/prose.tsx"],
  "/web/storefront/cart/cart-page.tsx": ["/web/storefront/checkout/draft.ts", "/web/ui/prose.tsx", "/web/storefront/cart/cart.css"],
  "/web/storefront/checkout/checkout-page.tsx": [
    "/web/storefront/checkout/draft.ts",
    "/web/storefront/cart/cart.css",
    "/web/storefront/checkout/step.tsx",
  ],
};
const plan = planChunks("/web", { getModuleInfo: (id) => ({ importedIds: imports[id] ?? [] }) });

test("what first views have in common comes in few files, each after those that it imports", () => {
  expect(Object.fromEntries(plan)).toEqual({
    "/node_modules/react/index.js": "vendor",
    "/web/lost-chunk.ts": "shell",
    "/web/storefront/frame/frame.tsx": "shell",
    "/web/ui/icon.tsx": "shell",
    "/web/storefront/sign-in/session/use-session-end.ts": "shell",
    "/web/storefront/catalog/cards/coin-card.tsx": "cards",
    "/web/storefront/catalog/cards/list-button.tsx": "cards",
    "/web/ui/slider.tsx": "listing",
    "/web/ui/prose.tsx": "product",
    "/web/storefront/checkout/draft.ts": "ordering",
  });
});

test("what the checkout shares with the pages beside it is one file, without their style sheets, whose order it would change", () => {
  expect(plan.get("/web/storefront/checkout/draft.ts")).toBe("ordering");
  expect(plan.has("/web/storefront/cart/cart.css")).toBe(false);
  expect(plan.has("/web/storefront/checkout/step.tsx")).toBe(false);
});

test("no entry and no page is part of a shared file, which would run it wherever the file is imported", () => {
  for (const entry of ["/web/entry.client.tsx", "/web/root.tsx", "/web/storefront/home/home-page.tsx"]) expect(plan.has(entry)).toBe(false);
});
