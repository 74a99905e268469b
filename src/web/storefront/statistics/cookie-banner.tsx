import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { Button } from "../../ui/button.tsx";
import { saveCookieChoice } from "./cookie-choice.ts";
import "./cookie-banner.css";

/** Two equal choices. The banner takes the focus only when the visitor reopened it (`isReopened`). */
export default function CookieBanner({ isReopened }: { isReopened: boolean }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isReopened) box.current?.focus();
  }, [isReopened]);
  return (
    <section className="cookies" aria-label="Файлы cookie" ref={box} tabIndex={-1}>
      <p>
        Cookie помнят корзину и вход. Статистику включим, только если разрешите. <Link to={consentPages.cookies}>Подробнее</Link>
      </p>
      <div className="cookies__actions">
        <Button variant="line" small onClick={() => saveCookieChoice(false)}>
          Только нужные
        </Button>
        <Button variant="line" small onClick={() => saveCookieChoice(true)}>
          Разрешить
        </Button>
      </div>
    </section>
  );
}
