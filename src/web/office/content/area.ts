import type { Area } from "../area.ts";

/** Texts, the parts of the site that are data, and redirects. */
export const contentArea: Area = {
  sections: [
    { path: "/content", label: "Материалы", icon: "pages", block: 4, order: 10, permission: ["content"] },
    { path: "/site", label: "Сайт", icon: "eye", block: 4, order: 20, permission: ["content"] },
    { path: "/redirects", label: "Переадресации", icon: "right", block: 4, order: 30, permission: ["content"] },
  ],
  routes: [
    { path: "/content", permission: "content", lazy: () => import("./texts-page.tsx") },
    { path: "/content/:kind/:id", permission: "content", lazy: () => import("./text-page.tsx") },
    { path: "/site", permission: "content", lazy: () => import("./site-page.tsx") },
    { path: "/redirects", permission: "content", lazy: () => import("./redirects-page.tsx") },
  ],
  commands: [
    { id: "new-news", label: "Новая новость", icon: "pages", permission: ["content"], path: "/content/news/new", words: "блог написать" },
    { id: "home-page", label: "Главная страница", icon: "eye", permission: ["content"], path: "/site", words: "блоки герой монета" },
  ],
};
