import { memo, Suspense } from "react";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { documentsHref, privacyHref } from "../shared/document-links.ts";
import { reopenCookieBanner } from "../statistics/cookie-choice.ts";
import { CachedFragment } from "../../fragments/cached-fragment.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import type { FrameData } from "./frame-data.ts";

const payments = [
  ["mir", "Мир"],
  ["visa", "Visa"],
  ["mastercard", "Mastercard"],
  ["sbp", "СБП"],
  ["yookassa", "ЮKassa"],
] as const;

type FooterProps = Pick<FrameData, "shop" | "year" | "slogan" | "office"> & { columns: FrameData["menu"]["footer"] };

/** Not rendered again when only the rates of the frame change, which they do several times a minute. */
export const Footer = memo(function Footer(props: FooterProps) {
  return <CachedFragment as="footer" className="foot" id="site-menu" of={LaterFooterContent} props={props} />;
});

/** Hydrated after the rest of the page, or when it is pressed. */
const LaterFooterContent = (props: FooterProps) => (
  <Suspense>
    <FooterContent {...props} />
  </Suspense>
);

function FooterContent({ shop, year, columns, slogan, office }: FooterProps) {
  return (
    <div className="wrap">
      <div className="foot__top">
        <div className="foot__brand">
          <Icon name="mark" className="foot__mark" />
          <p className="foot__slogan">{slogan}</p>
          <dl className="ratings">
            {shop.ratings.map(({ platform, value, isSample }) => (
              <div key={platform}>
                <dt>{platform}</dt>
                <dd>
                  <span className="digits">{value}</span>
                  {isSample && <small>образец</small>}
                </dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="foot__cols">
          {columns.map(({ title, items }) => (
            <nav key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                {items.map(({ name, href }) => (
                  <li key={href}>
                    <Link to={href}>{name}</Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
          <address className="foot__contact">
            <h2>{office}</h2>
            <p>
              {shop.phones.map(({ display, href }) => (
                <span key={href}>
                  <a className="foot__phone digits" href={href}>
                    {display}
                  </a>
                  <br />
                </span>
              ))}
              Поддержка сайта: добавочный {shop.supportExtension}
            </p>
            <p>{shop.address}</p>
            <p>
              <a href={`mailto:${shop.email}`}>{shop.email}</a>
            </p>
            <p>
              {shop.hours.map((line) => (
                <span key={line}>
                  {line}
                  <br />
                </span>
              ))}
            </p>
          </address>
        </div>
      </div>
      <div className="foot__payment">
        <ul aria-label="Способы оплаты">
          {payments.map(([mark, name]) => (
            <li key={mark}>
              <Icon name={mark} className="mark" />
              <span className="visually-hidden">{name}</span>
            </li>
          ))}
        </ul>
        <p>{shop.receiptNote}</p>
      </div>
      <div className="foot__legal">
        <p>
          © 2000–{year} «{shop.name}»
        </p>
        <p>
          <a href={privacyHref}>Политика конфиденциальности (PDF)</a>
        </p>
        <p>
          <Link to={documentsHref}>Документы и согласия</Link>
        </p>
        <p>
          <a
            href={consentPages.cookies}
            onClick={(event) => {
              event.preventDefault();
              reopenCookieBanner();
            }}
          >
            Настройки cookie
          </a>
        </p>
        <p>Часть мотивов: game-icons.net (Lorc, Delapouite и другие авторы), CC BY 3.0, изменено; Noto Emoji © Google, Apache 2.0.</p>
      </div>
    </div>
  );
}
