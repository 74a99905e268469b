import type { ReactNode } from "react";
import { useMatches } from "react-router";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { frameDataOf, type FrameData } from "../frame/frame-data.ts";
import type { TextData } from "../page/text-data.ts";
import { breadcrumbList, pageMeta, refusedTitle } from "../page/meta.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { ancestorsOf, home, type PageNode } from "../page/page-tree.ts";
import "./content.css";

/** Breadcrumbs and heading of the page; the heading is the display name unless `children` are given. */
export function PageHead({ children }: { children?: ReactNode }) {
  const node = nodeOf(useMatches());
  return (
    <>
      <Breadcrumbs trail={ancestorsOf(node)} here={node.title} />
      <h1 className="text__title">{children ?? node.title}</h1>
    </>
  );
}

type Matches = readonly ({ id: string; pathname: string; handle?: unknown; loaderData?: unknown } | undefined)[];

/** The page's node, from its route's `handle`. */
export function nodeOf(matches: Matches): PageNode {
  const match = matches.at(-1);
  const { node } = (match?.handle ?? {}) as PageHandle;
  return (typeof node === "function" ? node(match?.pathname ?? "/") : node) ?? home;
}

function frameOf(matches: Matches): FrameData | undefined {
  const sent = matches.find((match) => match?.id === "root")?.loaderData as TextData | undefined;
  return sent && frameDataOf(sent);
}

/** The shop's address and name, from the root's loader. */
export const publicUrlOf = (matches: Matches): string => frameOf(matches)?.publicUrl ?? "";
export const shopNameOf = (matches: Matches): string => frameOf(matches)?.shop.name ?? "";

/**
 * Title, description and breadcrumbs for search engines. The node is that of the route unless the loader returned one; `title` replaces its
 * display name. `isRefused`: the page shows the errors of its form.
 */
export function contentMeta(
  matches: Matches,
  page: {
    title?: string | undefined;
    description?: string | undefined;
    image?: string | undefined;
    node?: PageNode;
    isRefused?: boolean | undefined;
  },
) {
  const node = page.node ?? nodeOf(matches);
  return [
    ...pageMeta({ title: refusedTitle(page.title ?? node.title, page.isRefused), description: page.description, image: page.image }),
    breadcrumbList(publicUrlOf(matches), [...ancestorsOf(node), node]),
  ];
}
