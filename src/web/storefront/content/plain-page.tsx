import { data, Link } from "react-router";
import * as content from "#shop/content/service.ts";
import type { Entry } from "#shop/content/entry.ts";
import { pageContext } from "#web/context.server.ts";
import certificate1 from "../../images/certificate-1.webp";
import certificate2 from "../../images/certificate-2.webp";
import { secondaryMenu, mainMenu } from "../../texts.ru.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { Icon } from "../../ui/icon.tsx";
import { breadcrumbList, pageMeta, shortened } from "../meta.ts";
import { Prose } from "./prose.tsx";
import type { Route } from "./+types/plain-page.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { page, publicUrl } = loaderData;
  return [
    ...pageMeta({ title: page.title, description: shortened(page.html.replace(/<[^>]+>/g, " ")) }),
    breadcrumbList(publicUrl, [{ title: "Главная", href: "/" }, { title: page.title, href: `/${page.slug}` }]),
  ];
}

/** Questions that belong to a page, by its address. */
const groups: Readonly<Record<string, string>> = { delivery: "Доставка", "how-to-buy": "Цены и заказ", return: "Возврат", "coin-buyback": "Выкуп", about: "Данные" };

export async function loader({ context, request }: Route.LoaderArgs) {
  const { ctx } = context.get(pageContext);
  const slug = new URL(request.url).pathname.replace(/\.data$/, "").replaceAll("/", "");
  const [page, questions] = await Promise.all([content.page(ctx, slug), content.questions(ctx)]);
  if (!page) throw data(null, { status: 404 });
  return { page: shown(page), publicUrl: ctx.settings.publicUrl.replace(/\/$/, ""), questions: questions.filter(({ extra }) => extra.group === groups[slug]).map(shown) };
}

const shown = ({ id, slug, title, html }: Entry) => ({ id, slug, title, html });

export default function PlainPage({ loaderData: { page, questions } }: Route.ComponentProps) {
  const others = [...mainMenu, ...secondaryMenu].filter(({ href }) => ["/delivery", "/how-to-buy", "/return", "/certificates", "/coin-buyback", "/about", "/contacts", "/partners"].includes(href));
  return (
    <main id="main" className="wrap">
      <Breadcrumbs trail={[{ title: "Главная", href: "/" }]} here={page.title} />
      <h1 className="text__h1">{page.title}</h1>
      <div className="text">
        <div>
          <Prose html={page.html} />
          {page.slug === "certificates" && <Certificates />}
          {questions.length > 0 && (
            <section className="text__asks">
              <h2>О чём спрашивают</h2>
              {questions.map((each) => <details key={each.id}><summary>{each.title}<Icon name="plus" /></summary><Prose html={each.html} /></details>)}
            </section>
          )}
        </div>
        <nav className="text__nav" aria-label="Страницы о покупке">
          <ul>{others.map(({ name, href }) => <li key={href}><Link to={href} prefetch="intent" aria-current={href === `/${page.slug}` ? "page" : undefined}>{name}</Link></li>)}</ul>
        </nav>
      </div>
    </main>
  );
}

function Certificates() {
  return (
    <ul className="text__pics">
      <li><img src={certificate1} width="800" height="1120" alt="Образец сертификата подлинности" loading="lazy" /></li>
      <li><img src={certificate2} width="800" height="1120" alt="Образец документа на монету" loading="lazy" /></li>
    </ul>
  );
}
