import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { ErrorPage, errorTitle, type Fault } from "./error-page.tsx";

const htmlOf = (fault: Fault): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <ErrorPage {...fault} picture={null} />
    </MemoryRouter>,
  );

test("a missing page has one title; its own reason is shown only if it is Russian", () => {
  expect(errorTitle({ status: 404, message: "Такой страницы нет: ссылка устарела." })).toBe("Страница не найдена");
  expect(htmlOf({ status: 404, message: "Такой страницы нет: ссылка устарела." })).toContain(">Такой страницы нет: ссылка устарела.<");
  expect(htmlOf({ status: 404, message: "Page not found" })).toContain("возможно, адрес набран с ошибкой");
  expect(htmlOf({ status: 404, message: "" })).toContain("возможно, адрес набран с ошибкой");
});
