import type { Rolldown } from "vite";

/**
 * The shared chunks of the first view, in the order in which they depend on each other. A request costs a phone more than a few unused
 * components, so what first views have in common comes in few files: React and the router, the frame of every page, what at least two
 * pages with coins share, what a product's page shares with others. Each page's own code is one more chunk; what is imported on demand,
 * such as a dialog, keeps its automatic chunks. Style sheets follow their modules, so cart, checkout and account are in no group: `cart.css`
 * and `my.css` style the same classes.
 */
const chunkNames = ["vendor", "shell", "catalog", "product"] as const;
type ChunkName = (typeof chunkNames)[number];

const shellEntries = ["entry.client.tsx", "root.tsx"];
/** The pages of a chunk, and how many of them use a module of it. `own`: modules that stay with their page. */
const pagesOf: Record<"catalog" | "product", { pages: readonly string[]; least: number; own?: string }> = {
  catalog: {
    pages: ["home/home-page.tsx", "catalog/listing/catalog-page.tsx", "product/product-page.tsx", "catalog/search/search-page.tsx"],
    least: 2,
  },
  product: { pages: ["product/product-page.tsx"], least: 1, own: "/storefront/product/" },
};

type Graph = { getModuleInfo(id: string): Pick<Rolldown.ModuleInfo, "importedIds"> | null };

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

/** Which module belongs to which chunk. Not the entries: importing a shared chunk must not hydrate the page or run another page. */
export function planChunks(webFolder: string, graph: Graph): ReadonlyMap<string, ChunkName> {
  const importsOf = (page: string): ReadonlySet<string> => {
    const entry = `${webFolder}/${page}`;
    const reached = new Set([entry]);
    for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next);
    reached.delete(entry);
    return reached;
  };
  const plan = new Map<string, ChunkName>();
  for (const entry of shellEntries) for (const id of importsOf(entry)) plan.set(id, /[\\/]node_modules[\\/]/.test(id) ? "vendor" : "shell");
  for (const chunk of ["catalog", "product"] as const) {
    const { pages, least, own } = pagesOf[chunk];
    const uses = new Map<string, number>();
    for (const page of pages) for (const id of importsOf(`storefront/${page}`)) uses.set(id, (uses.get(id) ?? 0) + 1);
    for (const [id, count] of uses) if (count >= least && !plan.has(id) && !(own !== undefined && id.includes(own))) plan.set(id, chunk);
  }
  return plan;
}
