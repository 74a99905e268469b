import type { ReactNode } from "react";
import { useMatches } from "react-router";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import type { FrameData } from "../frame/frame-data.ts";
import { breadcrumbList, pageMeta } from "../page/meta.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { ancestorsOf, home, type PageNode } from "../page/page-tree.ts";
import "../../styles/content.css";

/** The way to the page of this route and its one heading, which may say more than the place's name. */
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

/** Where the present page stands, from its route's `handle`. */
export function nodeOf(matches: Matches): PageNode {
  const match = matches.at(-1);
  const { node } = (match?.handle ?? {}) as PageHandle;
  return (typeof node === "function" ? node(match?.pathname ?? "/") : node) ?? home;
}

const frameOf = (matches: Matches) => matches.find((match) => match?.id === "root")?.loaderData as FrameData | undefined;

/** The shop's own address and name, which the root's loader knows. */
export const publicUrlOf = (matches: Matches): string => frameOf(matches)?.publicUrl ?? "";
export const shopNameOf = (matches: Matches): string => frameOf(matches)?.shop.name ?? "";

/** Title, description and breadcrumbs for search engines, from the route's place, or the one that came with the page's text; `title` where the page is called otherwise. */
export function contentMeta(
  matches: Matches,
  page: { title?: string | undefined; description?: string | undefined; image?: string | undefined; node?: PageNode },
) {
  const node = page.node ?? nodeOf(matches);
  return [
    ...pageMeta({ title: page.title ?? node.title, description: page.description, image: page.image }),
    breadcrumbList(publicUrlOf(matches), [...ancestorsOf(node), node]),
  ];
}
