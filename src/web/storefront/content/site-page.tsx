import { data, redirect, redirectDocument } from "react-router";
import { day } from "#kit/format.ts";
import * as content from "#shop/content/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { shortened } from "../page/meta.ts";
import { pageQuery } from "../page/page-query.ts";
import { contentMeta } from "./page-head.tsx";
import { ancestorsOf, home, type PageNode } from "../page/page-tree.ts";
import { Prose } from "./prose.tsx";
import type { PageHandle } from "../page/page-handle.ts";
import type { Route } from "./+types/site-page.ts";
import "./content.css";

export const handle: PageHandle = { isPublic: true };

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { place: node, description, html } = loaderData;
  return contentMeta(matches, { node, description: description || shortened(html.replace(/<[^>]+>/g, " ")) });
}

/**
 * An address of one to four segments that no other route matches: a page from the database, a redirect (outside the site as a document
 * navigation), or a 404.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const { one, two, three, four } = params as { one?: string; two?: string; three?: string; four?: string };
  const path = `/${[one, two, three, four].filter((segment) => segment !== undefined).join("/")}`;
  const page = await content.sitePage(ctx, path);
  if (page) {
    const parent: PageNode = page.parent ? { title: page.parent.title, href: page.parent.path, parent: home } : home;
    const node: PageNode = { title: page.title, href: page.path, parent };
    return { place: node, description: page.description, html: page.html, editedOn: page.editedOn };
  }
  const away = await content.redirectFrom(ctx, path);
  if (!away) throw data("Page not found", { status: 404, statusText: "Page not found" });
  const status = away.isPermanent ? 308 : 307;
  throw away.isExternal ? redirectDocument(away.target, status) : redirect(withQuery(away.target, pageQuery(request)), status);
}

/** Adds the request's query unless the target has its own. */
function withQuery(target: string, query: string): string {
  const [path = "", hash] = target.split("#", 2);
  return path.includes("?") ? target : `${path}${query}${hash === undefined ? "" : `#${hash}`}`;
}

export default function SitePage({ loaderData: { place: node, html, editedOn } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <Breadcrumbs trail={ancestorsOf(node)} here={node.title} />
      <h1 className="text__title">{node.title}</h1>
      {editedOn && (
        <p className="eyebrow text__edited">
          Редакция от <time dateTime={editedOn}>{day(editedOn)}</time>
        </p>
      )}
      <Prose html={html} />
    </main>
  );
}
