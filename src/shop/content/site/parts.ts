import * as z from "zod";
import { isFilmAddress, type FilmType } from "#shop/media/film.ts";
import { isPicture } from "../markdown.ts";
import { ownFilms, ownPictures } from "./own-pictures.ts";

/** The parts of the site that staff change without code: the home page, banners, menus, groups of questions. One schema per block. */

/** Icons of the storefront that a protection of the buyer can have. */
export const protectionIcons = ["turn", "shield", "check", "box", "truck", "door"] as const;

const required = "Обязательное поле";
const line = (max: number) => z.string().max(max);
const words = (max: number) => line(max).min(1, required);
const instant = z.iso.datetime({ offset: true }).nullable();
const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,149}$/, "Выберите монету");

/** Where a link leads: an address of the site, or a whole https address. */
export const isHref = (text: string): boolean =>
  /^\/(?![/\\])[^\s\\]*$/.test(text) || (/^https:\/\/[^/\s@]+(\/\S*)?$/.test(text) && URL.canParse(text));
const href = z.string().max(300).refine(isHref, "Адрес страницы сайта с / в начале или полный адрес с https://");
const link = z.strictObject({ text: words(80), href });

/** When something shows; null: no limit on that side. */
const windowFields = { from: instant, until: instant };
const isOrdered = ({ from, until }: ShownPeriod): boolean => from === null || until === null || Date.parse(from) < Date.parse(until);
const wrongOrder = { path: ["until"], message: "Конец раньше начала" };
export type ShownPeriod = { from: string | null; until: string | null };

/** Whether the time is inside. */
export const isOpen = ({ from, until }: ShownPeriod, at: Date): boolean =>
  (from === null || Date.parse(from) <= at.getTime()) && (until === null || at.getTime() < Date.parse(until));

const picture = z.union([z.enum(ownPictures), z.string().refine(isPicture, "Выберите картинку")], "Выберите картинку");

/** A file of a film: one of the shop's own by name, or an uploaded one by its address. */
const film = (type: FilmType) => {
  const message = `Загрузите фильм: файл ${type === "mp4" ? "MP4" : "WebM"}`;
  return z.union([z.enum(ownFilms), z.string().refine((text) => isFilmAddress(text, type), message)], message);
};
const noPoster = "Загрузите первый кадр: картинку";

const coins = (max: number) => z.array(slug).min(1, "Добавьте хотя бы одну монету").max(max);
/** Which coins a block shows: the best sellers in stock of one kind, or those that are listed. */
const choice = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("popular"), coins: z.enum(["bullion", "memorable"]), count: z.int().min(1).max(12) }),
  z.strictObject({ by: z.literal("listed"), slugs: coins(12) }),
]);

const blocks = [
  /** The first screen: words, a button, a second link, and a coin as a technical drawing. */
  z.strictObject({ kind: z.literal("hero"), title: words(120), lead: words(400), button: link, more: link.nullable(), coin: slug }),
  /** The price of one coin on a ruler: buyback, metal, price. */
  z.strictObject({ kind: z.literal("ruler"), coin: slug }),
  /** Coins of one design side by side, drawn to one scale. */
  z.strictObject({
    kind: z.literal("sizes"),
    title: words(120),
    lead: words(400),
    more: link.nullable(),
    label: words(120),
    coins: coins(8),
  }),
  /** Coins as a table of prices. */
  z.strictObject({
    kind: z.literal("prices"),
    title: words(120),
    lead: words(400),
    more: link.nullable(),
    caption: words(120),
    note: line(400),
    choice,
  }),
  z.strictObject({
    kind: z.literal("promises"),
    title: words(120),
    picture,
    alt: words(200),
    caption: line(300),
    items: z
      .array(z.strictObject({ title: words(120), text: words(400) }))
      .min(1, "Добавьте хотя бы одно обещание")
      .max(6),
  }),
  /** Coins as cards. */
  z.strictObject({ kind: z.literal("coins"), title: words(120), lead: words(400), more: link.nullable(), note: line(300), choice }),
  /** One article with a picture, and links to others. `lead`: the id of the article. */
  z.strictObject({
    kind: z.literal("articles"),
    title: words(120),
    more: link.nullable(),
    lead: z.int().positive("Выберите статью"),
    picture,
    articles: z.int().min(0).max(8),
    news: z.int().min(0).max(4),
  }),
  /** How the buyback price of one coin is computed. `coinName` stands in «дисконт …». */
  z.strictObject({ kind: z.literal("formula"), title: words(120), coin: slug, coinName: words(60), text: words(600), button: link }),
  /** Words with a link, for an announcement. */
  z.strictObject({ kind: z.literal("banner"), title: words(120), lead: words(400), more: link.nullable() }),
] as const;
const blockContent = z.discriminatedUnion("kind", blocks);
const block = z
  .strictObject({ id: z.string().regex(/^[a-z0-9-]{1,40}$/), isOn: z.boolean(), ...windowFields, content: blockContent })
  .refine(isOrdered, wrongOrder);

/** A line above the header. `short` is for phones. */
const banner = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]{1,40}$/),
    isOn: z.boolean(),
    ...windowFields,
    /** Its name for screen readers: «Доставка». */
    label: words(40),
    long: words(200),
    short: words(80),
    /** The whole line leads there; null: it is text. */
    href: href.nullable(),
    isDismissible: z.boolean(),
  })
  .refine(isOrdered, wrongOrder);

/** A silent film of a coin. Browsers take the WebM, if there is one, else the MP4. */
const coinFilm = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  isOn: z.boolean(),
  coin: slug,
  /** The title of its window, and what it shows, in words. */
  title: words(80),
  story: words(400),
  mp4: film("mp4"),
  webm: film("webm").nullable(),
  poster: z.union([z.enum(ownFilms), z.string().refine(isPicture, noPoster)], noPoster),
  /** The plain pages above whose text a button opens it. */
  pages: z.array(z.string().max(40)).max(8),
});

/**
 * A protection of the buyer on the page of a coin. `special`: for coins that only special couriers carry; «»: the same text. `fallback`:
 * when a placeholder of the text has no value.
 */
const protection = z.strictObject({
  icon: z.enum(protectionIcons),
  text: words(120),
  special: line(120),
  fallback: line(120),
  href,
});

const menuItem = z.strictObject({ name: words(60), href });

export const siteParts = {
  home: z.strictObject({
    kind: z.literal("home"),
    title: words(120),
    description: words(300),
    blocks: z.array(block).max(30),
  }),
  /** Of several banners the first shows whose time it is. */
  banner: z.strictObject({ kind: z.literal("banner"), banners: z.array(banner).max(10) }),
  menu: z.strictObject({
    kind: z.literal("menu"),
    /** In the header; the first item opens the catalogue. */
    main: z.array(menuItem).min(1).max(8),
    /** Under «Каталог» on phones. */
    catalog: z.array(menuItem).max(8),
    /** Beside the banner and in the panel of phones. `short` is for the line beside the banner; not in it: `isOnlyInPanel`. */
    secondary: z.array(menuItem.extend({ short: line(40), isOnlyInPanel: z.boolean() })).max(12),
    footer: z.array(z.strictObject({ title: words(60), items: z.array(menuItem).min(1).max(12) })).max(4),
  }),
  films: z.strictObject({ kind: z.literal("films"), films: z.array(coinFilm).max(30) }),
  /** Sentences and links of pages that belong to no text of their own. */
  pages: z.strictObject({
    kind: z.literal("pages"),
    /** The coin inside the number of an error, «404». */
    errorCoin: slug,
    slogan: words(120),
    /** The heading of telephones and address at the foot. */
    office: words(80),
    emptyCart: words(300),
    /** Below the note that the exchange is closed: words, a link, words. */
    closedMarket: z.strictObject({ before: line(120), link, after: line(120) }),
    noPromos: words(200),
    /** Above the list of articles; «»: nothing. Parts that earlier releases stored have none. */
    trainingIntro: line(300).default(""),
    /** All coins with their spreads, from the page of rates. */
    goldSpreads: href,
    silverSpreads: href,
    catalogue: z.strictObject({
      heading: words(80),
      intro: words(400),
      noteTitle: words(120),
      note: z.array(words(600)).max(6),
    }),
    protections: z.array(protection).max(5),
    /** The group of questions on the page of a coin; «»: none. */
    coinQuestions: line(80),
    /** The coin on the shop's picture of a capsule, which the pages of its design show; «»: none do. */
    capsuleCoin: z.union([z.literal(""), slug]).default(""),
  }),
  /** The groups of questions, and the plain pages below whose text each group stands. */
  questions: z.strictObject({
    kind: z.literal("questions"),
    groups: z.array(z.strictObject({ name: words(80), pages: z.array(z.string().max(40)).max(8) })).max(30),
  }),
} as const;

export type PartKind = keyof typeof siteParts;
export const partKinds = Object.keys(siteParts) as PartKind[];
export type PartData<K extends PartKind = PartKind> = { [Kind in K]: z.output<(typeof siteParts)[Kind]> }[K];
export type HomeBlock = PartData<"home">["blocks"][number];
export type BlockContent = HomeBlock["content"];
export type MenuPart = PartData<"menu">;
export type CoinFilm = PartData<"films">["films"][number];
export type PageWords = PartData<"pages">;
export type Banner = PartData<"banner">["banners"][number];

/** What a shop without stored parts shows: nothing. The seed writes the real ones. */
export const emptyParts: { [K in PartKind]: PartData<K> } = {
  home: { kind: "home", title: "", description: "", blocks: [] },
  banner: { kind: "banner", banners: [] },
  menu: { kind: "menu", main: [], catalog: [], secondary: [], footer: [] },
  questions: { kind: "questions", groups: [] },
  films: { kind: "films", films: [] },
  pages: {
    kind: "pages",
    errorCoin: "",
    slogan: "",
    office: "",
    emptyCart: "",
    closedMarket: { before: "", link: { text: "", href: "/catalog" }, after: "" },
    noPromos: "",
    trainingIntro: "",
    goldSpreads: "/catalog",
    silverSpreads: "/catalog",
    catalogue: { heading: "", intro: "", noteTitle: "", note: [] },
    protections: [],
    coinQuestions: "",
    capsuleCoin: "",
  },
};
