import { personalSections } from "virtual:page-paths/sections";
import { pageContext } from "#web/context.server.ts";
import type { Route } from "./+types/robots-resource.ts";
import type { PageHandle } from "../../page/page-handle.ts";

export const handle: PageHandle = { isPublic: true };

/** API calls, which are not pages. The old GET calls that change something are named as well. */
const calls = ["/api/", "/api/cart/clear", "/api/wishlist/clear", "/api/compare/clear", "/api/auth/logout"];

/** Tells search engines what not to read: API calls and personal pages; and where the site map is. */
export function loader({ context }: Route.LoaderArgs) {
  const base = context.get(pageContext).ctx.settings.publicUrl.replace(/\/$/, "");
  const lines = [
    "User-agent: *",
    ...[...calls, ...personalSections].map((path) => `Disallow: ${path}`),
    "Allow: /",
    "",
    `Sitemap: ${base}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "content-type": "text/plain; charset=utf-8" } });
}
