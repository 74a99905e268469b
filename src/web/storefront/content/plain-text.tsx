import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { shortened, structured } from "../page/meta.ts";
import { PageHead, contentMeta } from "./page-head.tsx";
import { contentPages, type ContentPageName } from "./content-pages.ts";
import { Prose } from "./prose.tsx";

export type PlainTextProps = {
  page: { slug: string; title: string; html: string };
  questions: { id: number; title: string; html: string }[];
};

const menu: readonly ContentPageName[] = [
  "how-to-buy",
  "delivery",
  "return",
  "certificates",
  "coin-buyback",
  "about",
  "contacts",
  "partners",
];

/** The pages' descriptions for search results and link previews; texts that begin with headings and tables need one. */
const descriptions: Partial<Record<string, string>> = {
  about: "Кто мы, как проверяем монеты и почему рядом с каждой ценой показываем премию к металлу и цену выкупа.",
  certificates: "Нужен ли монете сертификат, как мы проверяем подлинность и какие документы вы получите вместе с монетой.",
  "coin-buyback": "Сегодняшние цены выкупа, как они считаются и как продать нам инвестиционную или памятную монету.",
  contacts: "Телефоны, адрес офиса в Москве, часы работы, мессенджеры и реквизиты. Оставьте номер, и мы перезвоним.",
  delivery:
    "Как и за сколько дней привезём монеты: до пункта СДЭК бесплатно, курьером, самовывоз из офиса. Чем заплатить и какой придёт чек.",
  "how-to-buy":
    "Пять шагов от выбора монеты до чека: как фиксируется цена, можно ли заказать без регистрации и что делать, если не получилось.",
  partners: "Условия для магазинов, ювелирных салонов и клубов: оптовые ступени, документы и заявка на партнёрство.",
  return: "Когда монету можно вернуть или обменять, сколько на это дней и как вернутся деньги.",
};

const plainText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** The metadata of a plain page: title, description, breadcrumbs, questions. */
export const plainPageMeta = (matches: Parameters<typeof contentMeta>[0], { page, questions }: PlainTextProps) => [
  ...contentMeta(matches, { title: page.title, description: descriptions[page.slug] ?? shortened(plainText(page.html)) }),
  ...(questions.length > 0
    ? [
        structured({
          "@type": "FAQPage",
          mainEntity: questions.map(({ title, html }) => ({
            "@type": "Question",
            name: title,
            acceptedAnswer: { "@type": "Answer", text: plainText(html).trim() },
          })),
        }),
      ]
    : []),
];

/** A text with its questions and the menu of related pages; `before` and `children` are the page's own parts around the text. */
export function PlainText({ page, questions, before, children }: PlainTextProps & { before?: ReactNode; children?: ReactNode }) {
  return (
    <main id="main" className="wrap" tabIndex={-1}>
      <PageHead>{page.title}</PageHead>
      <div className="text">
        <div>
          {before}
          <Prose html={page.html} />
          {children}
          {questions.length > 0 && (
            <section className="text__questions" aria-labelledby="asks">
              <h2 id="asks">О чём спрашивают</h2>
              {questions.map((each) => (
                <details key={each.id}>
                  <summary>
                    {each.title}
                    <Icon name="plus" />
                  </summary>
                  <Prose html={each.html} />
                </details>
              ))}
            </section>
          )}
        </div>
        <nav className="text__menu" aria-label="Страницы о покупке">
          <ul>
            {menu.map((name) => (
              <li key={name}>
                <Link to={contentPages[name].href} aria-current={name === page.slug ? "page" : undefined}>
                  {contentPages[name].title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </main>
  );
}
