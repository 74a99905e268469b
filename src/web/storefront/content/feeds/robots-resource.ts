import { pageContext } from "#web/context.server.ts";
import type { Route } from "./+types/robots-resource.ts";
import type { PageHandle } from "../../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true };

/** What is made for one visitor, and calls: the old GETs that change something above all. */
const disallowed = [
  "/api/",
  "/api/cart/clear",
  "/api/wishlist/clear",
  "/api/compare/clear",
  "/api/auth/logout",
  "/my",
  "/cabinet/",
  "/cart",
  "/checkout",
  "/thanks",
  "/payment-error",
  "/order/",
  "/wishlist",
  "/product-comparison",
];

export function loader({ context }: Route.LoaderArgs) {
  const base = context.get(pageContext).ctx.settings.publicUrl.replace(/\/$/, "");
  const lines = ["User-agent: *", ...disallowed.map((path) => `Disallow: ${path}`), "Allow: /", "", `Sitemap: ${base}/sitemap.xml`];
  return new Response(`${lines.join("\n")}\n`, { headers: { "content-type": "text/plain; charset=utf-8" } });
}
