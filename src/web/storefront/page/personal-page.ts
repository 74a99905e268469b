/** Pages made for one visitor are never stored, neither by the browser nor on the way. */
export const personalHeaders = () => ({ "Cache-Control": "private, no-store" });

/** Title of a personal page; search engines have no business there. */
export const personalMeta = (title: string) => [{ title: `${title} — Чекан` }, { name: "robots", content: "noindex" }];
