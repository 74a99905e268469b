/** Pictures of the shop's own that a block can show, by name. Without zod, for the browser. */
export const ownPictures = ["capsule", "news-1", "news-2", "news-3", "news-4", "news-5", "news-6"] as const;
/** Films of the shop's own, by name: each has MP4, WebM and a first picture. */
export const ownFilms = ["gold", "silver"] as const;
