import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { shortened, structured } from "../page/meta.ts";
import { PageHead, contentMeta } from "./page-head.tsx";
import { contentPages, type ContentPageName } from "./content-pages.ts";
import { Prose } from "./prose.tsx";

export type PlainTextProps = {
  page: { slug: string; title: string; description: string; html: string };
  questions: { id: number; title: string; html: string }[];
  /** The page's form was refused, without scripts. */
  isRefused?: boolean | undefined;
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

const plainText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** The metadata of a plain page: title, description, breadcrumbs, questions. */
export const plainPageMeta = (matches: Parameters<typeof contentMeta>[0], { page, questions, isRefused }: PlainTextProps) => [
  ...contentMeta(matches, { title: page.title, description: page.description || shortened(plainText(page.html)), isRefused }),
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
