import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { messengerId } from "#shop/settings/groups.ts";
import { PhonePanel } from "./phone-panel.tsx";

const chat = (title: string, href: string) => ({ id: messengerId(href), title, href });
const shop = {
  name: "Чекан",
  phones: [{ display: "+7 800 000-00-00", href: "tel:+78000000000" }],
  supportExtension: "2",
  email: "shop@example.org",
  address: "Москва",
  hours: [],
  ratings: [],
  city: "Москва",
};
const icons = (...messengers: ReturnType<typeof chat>[]) =>
  renderToStaticMarkup(<PhonePanel shop={{ ...shop, messengers } as never} />).match(/#icon-(send|chat)/g);

test("a messenger that staff saved has the icon of its service, whatever they call it", () => {
  expect(icons(chat("Чат магазина", "https://t.me/chekan"), chat("MAX", "https://max.ru/chekan"))).toEqual(["#icon-send", "#icon-chat"]);
  expect(icons(chat("Telegram", "https://max.ru/t.me"), chat("Telegram", "https://www.telegram.me/chekan"))).toEqual([
    "#icon-chat",
    "#icon-send",
  ]);
});
