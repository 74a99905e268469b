import { lessonIds } from "../shop/content/entry.ts";
import { index, prefix, route, type RouteConfig, type RouteConfigEntry } from "@react-router/dev/routes";

const shop = "storefront";
const listing = `${shop}/catalog/listing/catalog-page.tsx`;
const plainPage = `${shop}/content/plain-page.tsx`;

/**
 * Paths are case-sensitive: `/CATALOG` is not `/catalog`. react-router ignores that on index routes, so one with a path of its own is no
 * index here.
 */
const asWritten = (routes: RouteConfigEntry[]): RouteConfigEntry[] =>
  routes.map(({ index: isIndex, children, ...route }) => ({
    ...route,
    caseSensitive: true,
    ...(isIndex && route.path === undefined ? { index: true } : {}),
    ...(children ? { children: asWritten(children) } : {}),
  }));

/** All URLs of the site. */
export default asWritten([
  index(`${shop}/home/home-page.tsx`),

  ...prefix("catalog", [
    index(listing, { id: "catalog" }),
    route("page/:page", listing, { id: "catalog-numbered" }),
    route(":section", listing, { id: "section" }),
    route(":section/page/:page", listing, { id: "section-numbered" }),
    route(":section/:series", listing, { id: "series" }),
    route(":section/:series/page/:page", listing, { id: "series-numbered" }),
    route(":section/:series/:part", listing, { id: "part" }),
    route(":section/:series/:part/page/:page", listing, { id: "part-numbered" }),
  ]),
  route("products/:slug", `${shop}/product/product-page.tsx`),
  route("search", `${shop}/catalog/search/search-page.tsx`),
  route("wishlist", `${shop}/catalog/lists/wishlist-page.tsx`),
  route("product-comparison", `${shop}/catalog/lists/comparison-page.tsx`),

  route("cart", `${shop}/cart/cart-page.tsx`),
  route("checkout", `${shop}/checkout/checkout-page.tsx`),
  ...prefix("checkout/steps", [
    index(`${shop}/checkout/steps/start-resource.ts`),
    route("contacts", `${shop}/checkout/steps/contacts-page.tsx`),
    route("city", `${shop}/checkout/steps/city-page.tsx`),
    route("delivery", `${shop}/checkout/steps/delivery-page.tsx`),
    route("point", `${shop}/checkout/steps/point-page.tsx`),
    route("payment", `${shop}/checkout/steps/payment-page.tsx`),
    route("confirm", `${shop}/checkout/steps/confirm-page.tsx`),
  ]),
  route("thanks", `${shop}/checkout/payment/thanks-page.tsx`),
  route("payment-error", `${shop}/checkout/payment/payment-error-page.tsx`),
  route("order/:id", `${shop}/my/order/guest-order-page.tsx`),
  route("order/:id/invoice.pdf", `${shop}/my/order/documents/invoice-resource.ts`, { id: "guest-invoice" }),
  route("my/orders/:id/invoice.pdf", `${shop}/my/order/documents/invoice-resource.ts`, { id: "my-invoice" }),
  route("cabinet/create", `${shop}/my/create-account-page.tsx`),
  route("my", `${shop}/my/my-layout.tsx`, [
    index(`${shop}/my/overview-page.tsx`),
    route("orders", `${shop}/my/orders/orders-page.tsx`),
    route("orders/:id", `${shop}/my/order/order-page.tsx`),
    route("alerts", `${shop}/my/alerts-page.tsx`, { id: "my-alerts" }),
    route("profile", `${shop}/my/profile/profile-page.tsx`),
    route("profile/edit", `${shop}/my/profile/profile-edit-page.tsx`),
    route("profile/delete", `${shop}/my/profile/delete-account-page.tsx`),
  ]),

  ...["about", "certificates", "delivery", "how-to-buy", "return"].map((path) => route(path, plainPage, { id: `plain-${path}` })),
  route("coin-buyback", `${shop}/content/buyback/buyback-page.tsx`),
  route("contacts", `${shop}/content/contacts-page.tsx`),
  route("partners", `${shop}/content/partners-page.tsx`),
  ...prefix("news", [
    index(`${shop}/content/articles/news-page.tsx`),
    route("rss.xml", `${shop}/content/feeds/news-feed-resource.ts`),
    route("page/:page", `${shop}/content/articles/news-page.tsx`, { id: "news-numbered" }),
    route(":slug", `${shop}/content/articles/article-page.tsx`, { id: "news-article" }),
  ]),
  ...prefix("training", [
    index(`${shop}/content/articles/training-page.tsx`),
    ...lessonIds.map((id) => route(String(id), `${shop}/content/articles/article-page.tsx`, { id: `training-${id}` })),
    route(":slug", `${shop}/content/articles/article-page.tsx`, { id: "training-article" }),
  ]),
  ...prefix("cases", [
    index(`${shop}/content/articles/cases-page.tsx`),
    route(":slug", `${shop}/content/articles/article-page.tsx`, { id: "case-article" }),
  ]),
  ...prefix("promo", [
    index(`${shop}/content/articles/promo-page.tsx`),
    route(":slug", `${shop}/content/articles/article-page.tsx`, { id: "promo-article" }),
  ]),
  route("reviews", `${shop}/content/reviews/reviews-page.tsx`),
  route("alerts", `${shop}/alerts/alerts-page.tsx`),
  route("alerts/:token", `${shop}/alerts/alert-page.tsx`),
  route("newsletter/:token", `${shop}/alerts/newsletter-page.tsx`),
  route("quotes-online", `${shop}/rates/rates-page.tsx`),
  route("quotes-online/table.csv", `${shop}/rates/table-resource.ts`),

  route("privacy-policy.pdf", `${shop}/content/privacy-policy-resource.ts`),
  route("sitemap.xml", `${shop}/content/feeds/sitemap-resource.ts`),
  route("yml.xml", `${shop}/content/feeds/market-feed-resource.ts`),
  route("robots.txt", `${shop}/content/feeds/robots-resource.ts`),
  ...[":one", ":one/:two", ":one/:two/:three", ":one/:two/:three/:four"].map((path, index) =>
    route(path, `${shop}/content/site-page.tsx`, { id: `site-page-${index + 1}` }),
  ),
  route("*", `${shop}/content/unknown-page.tsx`),
]) satisfies RouteConfig;
