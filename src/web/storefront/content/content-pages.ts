import { href } from "react-router";
import { home, type PageNode } from "../page/page-tree.ts";

/** The content pages, by the first segment of their address; each route has its node in `handle`. */
export const contentPages = {
  about: { title: "О магазине", href: href("/about"), parent: home },
  certificates: { title: "Сертификаты", href: href("/certificates"), parent: home },
  "coin-buyback": { title: "Выкуп монет", href: href("/coin-buyback"), parent: home },
  contacts: { title: "Контакты", href: href("/contacts"), parent: home },
  delivery: { title: "Доставка и оплата", href: href("/delivery"), parent: home },
  "how-to-buy": { title: "Как купить", href: href("/how-to-buy"), parent: home },
  partners: { title: "Партнёрская программа", href: href("/partners"), parent: home },
  return: { title: "Обмен и возврат", href: href("/return"), parent: home },
  news: { title: "Блог", href: href("/news"), parent: home },
  training: { title: "Обучение для новичков", href: href("/training"), parent: home },
  cases: { title: "Кейсы", href: href("/cases"), parent: home },
  promo: { title: "Акции", href: href("/promo"), parent: home },
  reviews: { title: "Отзывы", href: href("/reviews"), parent: home },
  "quotes-online": { title: "Цена золота", href: href("/quotes-online"), parent: home },
} as const satisfies Record<string, PageNode>;
export type ContentPageName = keyof typeof contentPages;

/** The content page of an address, by its first segment; null for any other address. */
export function contentPageAt(pathname: string): PageNode | null {
  const name = pathname.replace(/\.data$/, "").split("/")[1] ?? "";
  return Object.hasOwn(contentPages, name) ? contentPages[name as ContentPageName] : null;
}
