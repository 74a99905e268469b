/** Pages made for one visitor are never stored, neither by the browser nor by a proxy. */
export const personalHeaders = () => ({ "Cache-Control": "private, no-store" });

/** Title of a personal page, and `noindex`. */
export const personalMeta = (title: string) => [{ title: `${title} — Чекан` }, { name: "robots", content: "noindex" }];
