import { useState } from "react";
import { useLocation } from "react-router";
import { serviceDown } from "../../texts.ru.ts";
import { ButtonLink } from "../../ui/button.tsx";
import "./error-page.css";

const shownStatus = (status: number): number => (status === 500 ? 503 : status);

/** `message` is the refusal's own text; it is shown only if it is Russian. */
export type Fault = { status: number; message: string };

export function errorTitle({ status, message }: Fault): string {
  const code = shownStatus(status);
  if (code === 404 || /not found/i.test(message)) return "Страница не найдена";
  if (code === 503) return serviceDown;
  return isRussian(message) ? message : "Что-то пошло не так";
}

const isRussian = (message: string): boolean => /^[А-ЯЁ«]/.test(message);

/** The status digits around a coin (`picture`; null: only digits), what happened, and links out. A server fault (500) is shown as 503. */
export function ErrorPage({ picture, ...fault }: Fault & { picture: string | null }) {
  const code = shownStatus(fault.status);
  const [first, middle, last] = String(code);
  const [isPictured, setPictured] = useState(true);
  const here = useLocation();
  return (
    <main id="main" className="wrap lost" tabIndex={-1}>
      <p className="lost__code" role="img" aria-label={String(code)}>
        <span aria-hidden="true">{first}</span>
        {isPictured && picture ? (
          <img className="coin coin--gold" src={picture} width="320" height="320" alt="" onError={() => setPictured(false)} />
        ) : (
          <span aria-hidden="true">{middle}</span>
        )}
        <span aria-hidden="true">{last}</span>
      </p>
      <h1>{errorTitle(fault)}</h1>
      <p className="lead">
        {code === 404
          ? isRussian(fault.message)
            ? fault.message
            : "Такой страницы нет: возможно, адрес набран с ошибкой или монета снята с продажи."
          : isOffline()
            ? "Похоже, пропала связь. Проверьте интернет и попробуйте ещё раз."
            : "Мы уже разбираемся, что случилось. Попробуйте зайти позже."}
      </p>
      <p className="lost__actions">
        <ButtonLink to="/">Перейти на главную</ButtonLink>
        {code === 404 ? (
          <ButtonLink variant="line" to="/catalog">
            Посмотреть каталог
          </ButtonLink>
        ) : (
          <ButtonLink variant="line" to={here} reloadDocument>
            Попробовать ещё раз
          </ButtonLink>
        )}
      </p>
    </main>
  );
}

/** Only a browser can be offline. */
const isOffline = (): boolean => typeof window !== "undefined" && !navigator.onLine;
