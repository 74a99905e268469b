/** Labels that appear in more than one place. Texts of a single page stay in that page. */

export const accountMenu: readonly { name: string; href: string }[] = [
  { name: "Личные данные", href: "/my/profile" },
  { name: "Заказы", href: "/my/orders" },
  { name: "Избранное", href: "/wishlist" },
];

export const metalNames = { gold: "Золото", silver: "Серебро" } as const;
export const metalSigns = { gold: "Au", silver: "Ag" } as const;
export const kindNames = { bullion: "Инвестиционная", memorable: "Памятная" } as const;
export const serviceDown = "Сервис временно недоступен";

/** Shown beside illustrations made by the shop. */
export const drawingNote = "Рисунок, не фотография";
export const drawingsNote = "Монеты показаны рисунками, не фотографиями.";
