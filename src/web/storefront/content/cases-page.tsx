import { Link } from "react-router";
import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { pageMeta } from "../meta.ts";
import type { Route } from "./+types/cases-page.ts";
import "../../styles/content.css";

export const meta = () => pageMeta({ title: "Кейсы", description: "Как покупают, копят, дарят и наследуют монеты: разобранные истории с числами." });

export async function loader({ context }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const { items } = await content.list(ctx, "case");
  return { items: items.map((each) => ({ id: each.id, href: entryHref(each) ?? "/cases", title: each.title, lead: each.lead, facts: each.extra.facts ?? [], isDemo: each.isDemo })) };
}

export default function CasesPage({ loaderData: { items } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here="Кейсы" />
      <h1 className="text__h1">Кейсы</h1>
      {items.some(({ isDemo }) => isDemo) && <p className="eyebrow">Примеры: истории вымышлены, чтобы показать, как это бывает.</p>}
      {items.length === 0 && <p className="lead">Скоро здесь появятся разобранные истории покупателей.</p>}
      <ol className="lessons">
        {items.map(({ id, href, title, lead, facts }) => <li key={id}><Link to={href} prefetch="intent"><h2>{title}</h2><p>{lead}</p><span>{facts[0]}</span></Link></li>)}
      </ol>
    </main>
  );
}
