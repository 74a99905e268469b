import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { consentHrefs } from "../shared/document-links.ts";
import { saveCookieChoice } from "./cookie-choice.ts";
import "../../styles/cookies.css";

/** Two equal answers. It takes no focus by itself, unless somebody asked for it; `isAskedFor` then. */
export default function CookieBanner({ isAskedFor }: { isAskedFor: boolean }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAskedFor) box.current?.focus();
  }, [isAskedFor]);
  return (
    <section className="cookies" aria-label="Файлы cookie" ref={box} tabIndex={-1}>
      <p>
        Cookie помнят корзину и вход. Статистику включим, только если разрешите. <Link to={consentHrefs.cookies}>Подробнее</Link>
      </p>
      <div className="cookies__actions">
        <Button look="line" small onClick={() => saveCookieChoice(false)}>
          Только нужные
        </Button>
        <Button look="line" small onClick={() => saveCookieChoice(true)}>
          Разрешить
        </Button>
      </div>
    </section>
  );
}
