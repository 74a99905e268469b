import { build, type Plugin, type Rolldown } from "vite";
import { expect, test } from "vitest";
import { firstViewChunks, nameExports, planChunks } from "./chunks.build.ts";

const imports: Record<string, string[]> = {
  "/web/entry.client.tsx": ["/node_modules/react/index.js", "/web/lost-chunk.ts"],
  "/web/root.tsx": ["/node_modules/react/index.js", "/web/storefront/frame/frame.tsx"],
  "/web/storefront/frame/frame.tsx": ["/web/ui/icon.tsx"],
  "/web/storefront/home/home-page.tsx": [
    "/web/ui/icon.tsx",
    "/web/storefront/catalog/cards/coin-card.tsx",
    "/web/storefront/catalog/cards/card.css",
    "/web/storefront/home/plate.tsx",
  ],
  "/web/storefront/catalog/listing/catalog-page.tsx": ["/web/storefront/catalog/cards/coin-card.tsx", "/web/ui/slider.tsx"],
  "/web/storefront/catalog/search/search-page.tsx": ["/web/ui/slider.tsx"],
  "/web/storefront/catalog/cards/coin-card.tsx": ["/web/storefront/catalog/cards/list-button.tsx"],
  "/web/storefront/product/product-page.tsx": [
    "/web/storefront/catalog/cards/card.css",
    "/web/storefront/product/gallery.tsx",
    "/web/storefront/checkout/delivery/texts.ts",
    "/web/ui/prose.tsx",
  ],
  "/web/storefront/cart/cart-page.tsx": ["/web/storefront/checkout/draft.ts", "/web/ui/prose.tsx", "/web/storefront/cart/cart.css"],
  "/web/storefront/checkout/checkout-page.tsx": [
    "/web/storefront/checkout/draft.ts",
    "/web/storefront/checkout/delivery/texts.ts",
    "/web/storefront/cart/cart.css",
    "/web/storefront/checkout/step.tsx",
  ],
};
const plan = planChunks("/web", { getModuleInfo: (id) => ({ importedIds: imports[id] ?? [] }) });

test("what first views have in common comes in few files, each after those that it imports", () => {
  expect(Object.fromEntries(plan)).toEqual({
    "/node_modules/react/index.js": "vendor",
    "/web/lost-chunk.ts": "shell",
    "/web/root.tsx": "shell",
    "/web/storefront/frame/frame.tsx": "shell",
    "/web/ui/icon.tsx": "shell",
    "/web/storefront/sign-in/session/use-session-end.ts": "shell",
    "/web/storefront/catalog/cards/card.css": "cards",
    "/web/storefront/catalog/cards/coin-card.tsx": "shell",
    "/web/storefront/catalog/cards/list-button.tsx": "shell",
    "/web/ui/slider.tsx": "listing",
    "/web/storefront/catalog/search/search-box.tsx": "listing",
    "/web/storefront/catalog/search/use-suggestions.ts": "listing",
    "/web/storefront/checkout/delivery/texts.ts": "shell",
    "/web/ui/prose.tsx": "product",
    "/web/storefront/checkout/draft.ts": "ordering",
    "/web/storefront/content/page-head.tsx": "texts",
    "/web/storefront/content/content-pages.ts": "texts",
    "/web/storefront/content/articles/text-lists.tsx": "texts",
    "/web/storefront/page/page-tree.ts": "texts",
  });
});

test("what the checkout shares with the pages beside it is one file, without their style sheets, whose order it would change", () => {
  expect(plan.get("/web/storefront/checkout/draft.ts")).toBe("ordering");
  expect(plan.has("/web/storefront/cart/cart.css")).toBe(false);
  expect(plan.has("/web/storefront/checkout/step.tsx")).toBe(false);
});

test("neither the entry nor a page is part of a shared file, which would run it wherever the file is imported", () => {
  for (const entry of ["/web/entry.client.tsx", "/web/storefront/home/home-page.tsx"]) expect(plan.has(entry)).toBe(false);
});

test("the first views need at most one shared file besides those of every page", () => {
  const sharedFiles = (page: string): string[] => {
    const reached = new Set([`/web/storefront/${page}`]);
    for (const id of reached) for (const next of imports[id] ?? []) reached.add(next);
    const chunks = new Set([...reached].flatMap((id) => (id.endsWith(".css") ? [] : (plan.get(id) ?? []))));
    return [...chunks].filter((chunk) => chunk !== "vendor" && chunk !== "shell").toSorted();
  };
  expect(sharedFiles("home/home-page.tsx")).toEqual([]);
  expect(sharedFiles("catalog/listing/catalog-page.tsx")).toEqual(["listing"]);
  expect(sharedFiles("catalog/search/search-page.tsx")).toEqual(["listing"]);
  expect(sharedFiles("product/product-page.tsx")).toEqual(["product"]);
  expect(sharedFiles("checkout/checkout-page.tsx")).toEqual(["ordering"]);
});

test("the style sheet of the cards is in no file of script, so that pages without cards do not load it with the frame", () => {
  const [styles, ...scripts] = firstViewChunks("/web");
  expect(styles?.debugName).toBe("cards");
  for (const { priority = 0 } of scripts) expect(styles?.priority).toBeGreaterThan(priority);
  expect([...plan].filter(([, chunk]) => chunk === "cards")).toEqual([["/web/storefront/catalog/cards/card.css", "cards"]]);
});

test("only the chunk with React contains the bundler's helpers, so that they are not a file of their own", async () => {
  const sources: Record<string, string> = {
    "/page.js": `import React, { useId } from "react"; import { flushSync } from "react-dom"; console.log(React, useId, flushSync);`,
    "/other.js": `import * as React from "react"; import * as ReactDom from "react-dom"; console.log(React.useId, ReactDom.flushSync);`,
  };
  const filesWith = async (plugins: Plugin[]): Promise<string[]> => {
    const { output } = (await build({
      configFile: false,
      logLevel: "silent",
      plugins: [...plugins, { name: "sources", resolveId: (id) => (id in sources ? id : null), load: (id) => sources[id] ?? null }],
      build: {
        write: false,
        rolldownOptions: {
          input: Object.keys(sources),
          output: {
            entryFileNames: "[name]",
            chunkFileNames: "[name]",
            codeSplitting: { groups: [{ name: "vendor", test: /node_modules|named-exports/ }] },
          },
        },
      },
    })) as Rolldown.RolldownOutput;
    return output.map(({ fileName }) => fileName).toSorted();
  };
  expect(await filesWith([])).toEqual(["other", "page", "rolldown-runtime", "vendor"]);
  expect(await filesWith([nameExports()])).toEqual(["other", "page", "vendor"]);
});
