import { serviceDown } from "../../texts.ru.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { coinImage } from "#shop/catalog/image.ts";
import "../../styles/error.css";

const coin = "georgij-pobedonosec-50-rublej-2026-mmd";

const seenAs = (status: number): number => (status === 500 ? 503 : status);

export function errorTitle(status: number): string {
  const code = seenAs(status);
  return code === 404 ? "Страница не найдена" : code === 503 ? serviceDown : "Что-то пошло не так";
}

/** The status digits around a coin, what happened, and the way out. A fault of ours (500) is shown as 503. */
export function ErrorPage({ status }: { status: number }) {
  const code = seenAs(status);
  const [first, , last] = String(code);
  return (
    <main id="main" className="wrap lost">
      <p className="lost__code" role="img" aria-label={String(code)}>
        <span aria-hidden="true">{first}</span>
        <img className="coin coin--gold" src={coinImage(coin, "reverse", 320)} width="320" height="320" alt="" />
        <span aria-hidden="true">{last}</span>
      </p>
      <h1>{errorTitle(status)}</h1>
      <p className="lead">
        {code === 404 ? "Такой страницы нет: возможно, адрес набран с ошибкой или монета снята с продажи." : "Мы уже разбираемся, что случилось. Попробуйте зайти позже."}
      </p>
      <ButtonLink to="/" prefetch="none">Перейти на главную</ButtonLink>
    </main>
  );
}
