import { day } from "#kit/format.ts";
import { entryHref } from "#shop/content/entry.ts";
import { moscow } from "#kit/moscow-time.ts";
import * as content from "#shop/content/service.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { PageHead, contentMeta } from "../page-head.tsx";
import { contentPages } from "../content-pages.ts";
import { coverOf } from "./covers.server.ts";
import { PictureList } from "./text-lists.tsx";
import type { Route } from "./+types/promo-page.ts";

const node = contentPages.promo;
export const handle: PageHandle = { isPublic: true, node };
export function meta({ matches }: Route.MetaArgs) {
  return contentMeta(matches, { description: "Действующие предложения магазина: условия и сроки названы целиком." });
}

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const today = moscow(ctx.now()).date;
  const { items } = await content.list(ctx, "promo");
  return {
    nothing: content.filledText(ctx, (await siteParts.pageWords(ctx)).noPromos),
    items: items
      .filter(({ extra }) => !extra.endsAt || extra.endsAt >= today)
      .map((each) => ({
        id: each.id,
        href: entryHref(each) ?? node.href,
        title: each.title,
        lead: each.lead,
        endsAt: each.extra.endsAt ?? null,
        picture: coverOf(each) ?? "",
      })),
  };
}

export default function PromoPage({ loaderData: { items, nothing } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <PageHead />
      {items.length === 0 && <p className="lead">{nothing}</p>}
      <PictureList height={600} items={items.map(({ endsAt, ...item }) => ({ ...item, eyebrow: endsAt && `До ${day(endsAt)}` }))} />
    </main>
  );
}
