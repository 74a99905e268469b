import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";

/** Shown while the code of a screen is loading. */
export function LoadingScreen() {
  return (
    <p className="screen-loading" role="status">
      Загружаем…
    </p>
  );
}

/** An address without a screen or a record. */
export function MissingScreen() {
  return (
    <>
      <PageHead title="Такой страницы нет" />
      <p>Проверьте адрес или найдите нужное через Ctrl K.</p>
    </>
  );
}

/** The error boundary of a screen. */
export function FailedScreen() {
  const error = useRouteError();
  useEffect(() => {
    console.error(error);
  }, [error]);
  if (isRouteErrorResponse(error) && error.status === 404) return <MissingScreen />;
  return (
    <>
      <PageHead title="Экран не открылся" />
      <Notice tone="warn">
        <p>
          <b>Это наша ошибка или обновление.</b> Обновите страницу: если не поможет, сообщите администратору.
        </p>
      </Notice>
      <p className="after-notice">
        <button className="button" type="button" onClick={() => location.reload()}>
          Обновить
        </button>
      </p>
    </>
  );
}
