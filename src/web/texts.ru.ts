/** Menus and labels that appear in more than one place. Texts of a single page stay in that page. */

export type MenuItem = { name: string; href: string; footerOnly?: boolean; short?: string };

export const mainMenu: readonly MenuItem[] = [
  { name: "Каталог", href: "/catalog" },
  { name: "Золото", href: "/catalog/gold" },
  { name: "Серебро", href: "/catalog/silver" },
  { name: "Акции", href: "/promo" },
  { name: "Доставка и оплата", href: "/delivery" },
  { name: "Контакты", href: "/contacts" },
  { name: "«Георгий Победоносец»", href: "/catalog/gold/monety-georgiy-pobedonosec", footerOnly: true },
  { name: "Червонец «Сеятель»", href: "/catalog/gold/monety-seyatel", footerOnly: true },
  { name: "Сертификаты", href: "/certificates", footerOnly: true },
  { name: "Обмен и возврат", href: "/return", footerOnly: true },
];

/** The last item appears in the footer only: the header has no room for it. */
export const secondaryMenu: readonly MenuItem[] = [
  { name: "О магазине", href: "/about" },
  { name: "Выкуп монет", href: "/coin-buyback" },
  { name: "Обучение для новичков", short: "Обучение", href: "/training" },
  { name: "Блог", href: "/news" },
  { name: "Отзывы", href: "/reviews" },
  { name: "Цена золота", href: "/quotes-online" },
  { name: "Кейсы", href: "/cases" },
  { name: "Как купить", href: "/how-to-buy" },
  { name: "Партнёрская программа", href: "/partners" },
];

export const catalogMenu: readonly MenuItem[] = [
  { name: "Инвестиционные монеты", href: "/catalog/bullion-coins" },
  { name: "Памятные монеты", href: "/catalog/memorable-coins" },
];

export const accountMenu: readonly MenuItem[] = [
  { name: "Личные данные", href: "/my/profile" },
  { name: "Заказы", href: "/my/orders" },
  { name: "Избранное", href: "/wishlist" },
];

const byHref = new Map([...mainMenu, ...secondaryMenu, ...catalogMenu].map((item) => [item.href, item]));
const column = (title: string, ...hrefs: string[]) => ({ title, items: hrefs.flatMap((href) => byHref.get(href) ?? []) });

/** The footer repeats all menus, grouped by subject. */
export const footerMenu = [
  column(
    "Каталог",
    "/catalog",
    "/catalog/gold",
    "/catalog/silver",
    "/catalog/bullion-coins",
    "/catalog/memorable-coins",
    "/catalog/gold/monety-georgiy-pobedonosec",
    "/catalog/gold/monety-seyatel",
  ),
  column("Покупателю", "/how-to-buy", "/delivery", "/return", "/certificates", "/promo", "/reviews", "/contacts"),
  column("О монетах", "/quotes-online", "/training", "/coin-buyback", "/cases", "/news", "/partners", "/about"),
] as const;

export const metalNames = { gold: "Золото", silver: "Серебро" } as const;
export const metalSigns = { gold: "Au", silver: "Ag" } as const;
export const kindNames = { bullion: "Инвестиционная", memorable: "Памятная" } as const;
export const deliveryNotice = {
  long: "Доставим бесплатно до ближайшего пункта выдачи СДЭК при заказе через сайт",
  short: "До пункта СДЭК бесплатно при заказе на сайте",
};
export const serviceDown = "Сервис временно недоступен";

/** Shown beside illustrations made by the shop. */
export const drawingNote = "Рисунок, не фотография";
export const drawingsNote = "Монеты показаны рисунками, не фотографиями.";
