import react from "react";
import reactDom from "react-dom";
import type { Plugin, Rolldown } from "vite";

/**
 * The shared chunks of the first view, in the order in which they depend on each other. A request costs a phone more than a few unused
 * components, so what first views have in common comes in few files: React and the router; the frame of every page with what the pages with
 * coins share and what the product's page shares with the checkout; what only the catalogue and the search share; what a product's page
 * shares with others; what the checkout shares with the pages before and after it; the parts of pages of text. A first view needs two or
 * three of them and one more chunk with the page's own code; what is imported on demand, such as a dialog, keeps its automatic chunks.
 * Style sheets follow their modules, so these pages themselves are in no group: `cart.css` and `my.css` style the same classes. `cards` is
 * the style sheet of the cards and no script: the pages with cards import it, the frame does not.
 */
const chunkNames = ["cards", "vendor", "shell", "listing", "product", "ordering", "texts"] as const;
type ChunkName = (typeof chunkNames)[number];

const cardStyles = "storefront/catalog/cards/card.css";

const rootModule = "root.tsx";
const shellEntries = ["entry.client.tsx", rootModule];
const productPage = "storefront/product/product-page.tsx";
const listings = ["storefront/catalog/listing/catalog-page.tsx", "storefront/catalog/search/search-page.tsx"];
const checkoutPage = "storefront/checkout/checkout-page.tsx";
const orderingPages = [
  checkoutPage,
  "storefront/cart/cart-page.tsx",
  "storefront/checkout/payment/thanks-page.tsx",
  "storefront/checkout/steps/contacts-page.tsx",
  "storefront/checkout/steps/point-page.tsx",
  "storefront/checkout/steps/confirm-page.tsx",
  "storefront/my/order/order-page.tsx",
  "storefront/my/profile/point-form.tsx",
  "storefront/sign-in/sign-in-dialog.tsx",
  "storefront/checkout/lock/update-prices-dialog.tsx",
];
/** The field of the search, also in the dialog that opens from every page: who opens it needs the list next. */
const searchField = ["storefront/catalog/search/search-box.tsx", "storefront/catalog/search/use-suggestions.ts"];
/** Hooks of a few hundred bytes that pages share with those of the account; a file of their own costs more than they do. */
const smallHooks = ["storefront/sign-in/session/use-session-end.ts"];
/** Parts of pages of text, of a few hundred bytes each, that bring no styles but `content.css`. */
const textParts = [
  "storefront/content/page-head.tsx",
  "storefront/content/content-pages.ts",
  "storefront/content/articles/text-lists.tsx",
  "storefront/page/page-tree.ts",
];
const pages = ["storefront/home/home-page.tsx", productPage, ...listings];

type Graph = { getModuleInfo(id: string): Pick<Rolldown.ModuleInfo, "importedIds"> | null };

/** The CommonJS packages that scripts of more than one chunk import, with their exports. */
const commonJs: Record<string, object> = { react, "react-dom": reactDom };
const namedExports = "\0named-exports:";

/**
 * In each chunk that imports a CommonJS package the bundler calls a helper, so its helpers are one more file of each first view. Here the
 * exports of these packages are those of a module: only the chunk with the packages needs the helpers, and contains them.
 */
export function nameExports(): Plugin {
  return {
    name: "name-exports",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    resolveId: (source, importer, { kind }) =>
      source in commonJs && kind === "import-statement" && !importer?.startsWith(namedExports) ? namedExports + source : null,
    load(id) {
      const source = id.startsWith(namedExports) && id.slice(namedExports.length);
      return source ? `export { default, ${Object.keys(commonJs[source] ?? {}).join(", ")} } from "${source}";` : null;
    },
  };
}

/** The groups for `output.codeSplitting`. A group takes the imports of its modules along, unless a group before it has them. */
export function firstViewChunks(webFolder: string): Rolldown.CodeSplittingGroup[] {
  const plans = new WeakMap<Graph, ReadonlyMap<string, ChunkName>>();
  return chunkNames.map((chunk, index) => ({
    debugName: chunk,
    priority: chunkNames.length - index,
    name(id, graph) {
      const plan = plans.get(graph) ?? planChunks(webFolder, graph);
      plans.set(graph, plan);
      return plan.get(id) === chunk ? chunk : null;
    },
  }));
}

/**
 * Which module belongs to which chunk. Not the pages: importing a shared chunk must not run one. The root is part of every page and does
 * nothing when it is imported.
 */
export function planChunks(webFolder: string, graph: Graph): ReadonlyMap<string, ChunkName> {
  const importsOf = (page: string): ReadonlySet<string> => {
    const entry = `${webFolder}/${page}`;
    const reached = new Set([entry]);
    for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next);
    reached.delete(entry);
    return reached;
  };
  const plan = new Map<string, ChunkName>([[`${webFolder}/${cardStyles}`, "cards"]]);
  const isVendor = (id: string): boolean => /[\\/]node_modules[\\/]/.test(id) || id.startsWith(namedExports);
  for (const entry of shellEntries) for (const id of importsOf(entry)) plan.set(id, isVendor(id) ? "vendor" : "shell");
  plan.set(`${webFolder}/${rootModule}`, "shell");
  for (const hook of smallHooks) plan.set(`${webFolder}/${hook}`, "shell");
  for (const part of searchField) plan.set(`${webFolder}/${part}`, "listing");
  const usersOf = (some: readonly string[]): ReadonlyMap<string, readonly string[]> => {
    const users = new Map<string, string[]>();
    for (const page of some) for (const id of importsOf(page)) users.set(id, [...(users.get(id) ?? []), page]);
    return users;
  };
  const ofCheckout = importsOf(checkoutPage);
  for (const [id, of] of usersOf(pages)) {
    if (plan.has(id)) continue;
    if (of.length > 1) plan.set(id, of.every((page) => listings.includes(page)) ? "listing" : "shell");
    else if (of[0] === productPage && !id.includes("/storefront/product/")) plan.set(id, ofCheckout.has(id) ? "shell" : "product");
  }
  for (const [id, of] of usersOf(orderingPages))
    if (!plan.has(id) && of.length > 1 && of.includes(checkoutPage) && !id.endsWith(".css")) plan.set(id, "ordering");
  for (const part of textParts) if (!plan.has(`${webFolder}/${part}`)) plan.set(`${webFolder}/${part}`, "texts");
  return plan;
}
