import { isSitePath } from "./entry.ts";

/**
 * The addresses of the pages that are routes in code (web/routes.ts; a test compares the two). A page or a redirect that the owner adds
 * cannot have them. `:name` stands for any segment.
 */
export const siteAddresses: readonly string[] = [
  "/",
  "/catalog",
  "/catalog/page/:page",
  "/catalog/:section",
  "/catalog/:section/page/:page",
  "/catalog/:section/:series",
  "/catalog/:section/:series/page/:page",
  "/catalog/:section/:series/:part",
  "/catalog/:section/:series/:part/page/:page",
  "/products/:slug",
  "/search",
  "/wishlist",
  "/product-comparison",
  "/cart",
  "/checkout",
  "/checkout/steps",
  "/checkout/steps/contacts",
  "/checkout/steps/city",
  "/checkout/steps/delivery",
  "/checkout/steps/point",
  "/checkout/steps/payment",
  "/checkout/steps/confirm",
  "/thanks",
  "/payment-error",
  "/order/:id",
  "/order/:id/invoice.pdf",
  "/my/orders/:id/invoice.pdf",
  "/cabinet/create",
  "/my",
  "/my/orders",
  "/my/orders/:id",
  "/my/alerts",
  "/my/profile",
  "/my/profile/edit",
  "/my/profile/delete",
  "/about",
  "/certificates",
  "/delivery",
  "/how-to-buy",
  "/return",
  "/coin-buyback",
  "/contacts",
  "/partners",
  "/news",
  "/news/rss.xml",
  "/news/page/:page",
  "/news/:slug",
  "/training",
  "/training/:slug",
  "/cases",
  "/cases/:slug",
  "/promo",
  "/promo/:slug",
  "/reviews",
  "/alerts",
  "/alerts/:token",
  "/newsletter/:token",
  "/quotes-online",
  "/quotes-online/table.csv",
  "/privacy-policy.pdf",
  "/sitemap.xml",
  "/yml.xml",
  "/robots.txt",
];

/** First segments that belong to the server: calls, files, pictures. */
const serverSegments = ["api", "assets", "media", "metrics", "healthz", "readyz", "favicon.ico", "apple-touch-icon.png"];

/** Sections whose single addresses may be renamed: an old one that no text has any more may redirect. */
const textSections = ["news", "training", "cases", "promo"];

const patterns = siteAddresses.map((address) => ({
  isOfTexts: textSections.some((section) => address === `/${section}/:slug`),
  shape: new RegExp(`^${address.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`),
}));

const firstSegment = (path: string): string => path.split("/")[1] ?? "";

/** Whether a page of the site answers at this path, whatever the owner adds. */
export const isTaken = (path: string): boolean =>
  patterns.some(({ shape }) => shape.test(path)) || serverSegments.includes(firstSegment(path));

/** Whether a page answers at this path that is not one text of a section. */
export const isAlwaysTaken = (path: string): boolean =>
  patterns.some(({ isOfTexts, shape }) => !isOfTexts && shape.test(path)) || serverSegments.includes(firstSegment(path));

/** Whether a redirect may begin here: at a free path, or at a former address of a text. */
export const mayRedirect = (path: string): boolean => isSitePath(path) && !isAlwaysTaken(path);

/** The path of a link without query and fragment; null: another site, or a placeholder. */
export const pathOf = (href: string): string | null => (href.startsWith("/") ? href.replace(/[?#].*$/s, "") : null);

/** The coin or the section of the catalogue that a path shows; null: another page. */
export function catalogTarget(path: string): { coin: string } | { section: string } | null {
  const [, coin] = /^\/products\/([^/]+)/.exec(path) ?? [];
  if (coin !== undefined) return { coin };
  const [, section] = /^\/catalog\/(?!page\/)(.+?)(?:\/page\/\d+)?\/?$/.exec(path) ?? [];
  return section === undefined ? null : { section };
}

/** Pages that the shop's own forms and letters link to: their addresses never change and they are never taken down. */
export const isFixedPage = (path: string): boolean => /^\/(privacy-policy|documents|consent\/[a-z]+)$/.test(path);
