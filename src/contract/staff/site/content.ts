import * as z from "zod";
import { orderedKinds } from "#shop/content/ordered-kinds.ts";
import { textKinds, type TextData } from "#shop/content/text-data.ts";
import { partKinds, type PartData } from "#shop/content/site/parts.ts";
import { chosenInstant, instant } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { revision, rowId, rowIdParam } from "../wire.ts";

/** Content: texts with drafts, versions and schedules, parts of the site, redirects. What the data of a kind is: shop/content. */

const kind = z.enum([...textKinds, ...partKinds]);
const textKind = z.enum(textKinds);
const state = z.enum(["draft", "scheduled", "published", "changed"]);
const event = z.enum(["saved", "scheduled", "published", "taken_down", "restored"]);

/** The service checks the data by its kind and names each wrong field by its path, `blocks.0.content.coin`. */
const data = z.custom<TextData | PartData>((value) => typeof value === "object" && value !== null);
const textInput = z.custom<TextData>((value) => typeof value === "object" && value !== null);
/** Texts of 60,000 letters. */
const maxBodyBytes = 512 * 1024;

const summary = z.object({
  kind,
  id: z.int(),
  title: z.string(),
  state,
  /** The address on the site; null: it has none of its own. */
  address: z.string().nullable(),
  publishAt: instant.nullable(),
  unpublishAt: instant.nullable(),
  updatedAt: instant,
  /** The day of news and of a document's edition. */
  day: z.string().nullable(),
  /** The group of a question. */
  group: z.string().nullable(),
  /** A sample that only a demonstration shows. */
  isDemo: z.boolean(),
  revision,
});

const editable = summary.extend({
  /** What visitors see; null: nothing. */
  live: data.nullable(),
  /** What the editor works on. */
  data,
  isPublished: z.boolean(),
  /** It cannot be unpublished, because forms or menus link to it. */
  isFixed: z.boolean(),
  /** The address of the draft as a page of the site, which opens for half an hour. */
  previewUrl: z.string(),
});
const staleData = z.object({ current: editable, revision });

const params = z.object({ kind, id: rowIdParam });
const changes = {
  permission: "content",
  params,
  answer: editable,
  problems: ["staff.not_found", "staff.stale", "staff.act_refused", "request.invalid"],
  refusalData: { "staff.stale": staleData },
} as const;

export const readTexts = staffCall({
  method: "GET",
  path: "/api/staff/content/texts",
  summary: "Texts of one kind in the order of their list; `next` is how many the following page passes over",
  permission: "content",
  audit: null,
  query: z.object({
    kind: textKind,
    state: state.optional(),
    words: z.string().max(100).default(""),
    from: z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number)
      .default(0),
  }),
  answer: z.object({ items: z.array(summary), next: z.int().nullable(), total: z.int() }),
  problems: [],
});

export const readContent = staffCall({
  method: "GET",
  path: "/api/staff/content/{kind}/{id}",
  summary: "A text or a part of the site for its editor",
  permission: "content",
  audit: null,
  params,
  answer: editable,
  problems: ["staff.not_found"],
});

export const createText = staffCall({
  method: "POST",
  path: "/api/staff/content/{kind}",
  summary: "Adds a text that visitors do not see yet",
  permission: "content",
  audit: "content.create",
  params: z.object({ kind: textKind }),
  body: z.strictObject({ data: textInput }),
  maxBodyBytes,
  answer: editable,
  problems: ["staff.act_refused", "request.invalid"],
});

export const saveContent = staffCall({
  ...changes,
  method: "POST",
  path: "/api/staff/content/{kind}/{id}",
  summary: "Saves a version: as a draft, published, or to be published at a time",
  audit: "content.save",
  body: z
    .strictObject({
      revision,
      data,
      act: z.enum(["draft", "publish", "schedule"]),
      publishAt: chosenInstant().nullable(),
      unpublishAt: chosenInstant().nullable(),
    })
    .refine(({ act, publishAt }) => act !== "schedule" || publishAt !== null, { path: ["publishAt"], message: "Укажите день и время" }),
  maxBodyBytes,
});

export const takeContentDown = staffCall({
  ...changes,
  method: "POST",
  path: "/api/staff/content/{kind}/{id}/take-down",
  summary: "Takes a published text down, or clears its schedule",
  audit: "content.take_down",
  body: z.strictObject({ revision }),
});

export const unscheduleContent = staffCall({
  ...changes,
  method: "POST",
  path: "/api/staff/content/{kind}/{id}/unschedule",
  summary: "Clears the time of a scheduled publication; what is on the site stays there",
  audit: "content.unschedule",
  body: z.strictObject({ revision }),
});

export const restoreContent = staffCall({
  ...changes,
  method: "POST",
  path: "/api/staff/content/{kind}/{id}/restore",
  summary: "Makes an earlier version the draft",
  audit: "content.restore",
  body: z.strictObject({ revision, version: revision }),
});

export const removeText = staffCall({
  method: "DELETE",
  path: "/api/staff/content/{kind}/{id}",
  summary: "Removes a text that was never published",
  permission: "content",
  audit: "content.remove",
  params,
  body: z.strictObject({ revision }),
  answer: z.literal(true),
  problems: ["staff.not_found", "staff.stale", "staff.act_refused"],
  refusalData: { "staff.stale": staleData },
});

export const orderTexts = staffCall({
  method: "POST",
  path: "/api/staff/content/order/{kind}",
  summary: "Puts the texts of a list in another order",
  permission: "content",
  audit: "content.order",
  params: z.object({ kind: z.enum(orderedKinds) }),
  body: z.strictObject({ ids: z.array(rowId).min(1).max(500) }),
  answer: z.literal(true),
  problems: ["staff.stale", "staff.act_refused"],
});

const version = z.object({ revision, event, actor: z.string(), at: instant });

export const readVersions = staffCall({
  method: "GET",
  path: "/api/staff/content/{kind}/{id}/versions",
  summary: "The saved versions, newest first",
  permission: "content",
  audit: null,
  params,
  answer: z.object({ items: z.array(version) }),
  problems: [],
});

export const readVersion = staffCall({
  method: "GET",
  path: "/api/staff/content/{kind}/{id}/versions/{version}",
  summary: "One saved version with its text",
  permission: "content",
  audit: null,
  params: params.extend({
    version: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  }),
  answer: version.extend({ data }),
  problems: ["staff.not_found"],
});

export const previewMarkdown = staffCall({
  method: "POST",
  path: "/api/staff/content/preview",
  summary: "Markdown as visitors would see it: HTML with the placeholders filled",
  permission: "content",
  isRead: true,
  audit: null,
  body: z.strictObject({ markdown: z.string().max(60_000) }),
  maxBodyBytes,
  answer: z.object({ html: z.string() }),
  problems: [],
});

const redirect = z.object({
  path: z.string(),
  target: z.string(),
  isExternal: z.boolean(),
  isPermanent: z.boolean(),
  /** Made when a published address was renamed. */
  isAutomatic: z.boolean(),
  revision,
});
const staleRedirect = z.object({ current: redirect.nullable() });

export const readRedirects = staffCall({
  method: "GET",
  path: "/api/staff/redirects",
  summary: "All redirects by path",
  permission: "content",
  audit: null,
  answer: z.object({ items: z.array(redirect) }),
  problems: [],
});

export const saveRedirect = staffCall({
  method: "POST",
  path: "/api/staff/redirects",
  summary: "Adds a redirect, or changes the one with this path",
  permission: "content",
  audit: "redirect.save",
  body: z.strictObject({
    path: z.string().trim().max(200),
    target: z.string().trim().max(300),
    isPermanent: z.boolean(),
    /** Null: a new one. */
    revision: revision.nullable(),
  }),
  answer: redirect,
  problems: ["staff.stale", "request.invalid"],
  refusalData: { "staff.stale": staleRedirect },
});

export const removeRedirect = staffCall({
  method: "POST",
  path: "/api/staff/redirects/remove",
  summary: "Removes a redirect",
  permission: "content",
  audit: "redirect.remove",
  body: z.strictObject({ path: z.string().max(200), revision }),
  answer: z.literal(true),
  problems: ["staff.not_found", "staff.stale"],
  refusalData: { "staff.stale": staleRedirect },
});

export const findBlockCoins = staffCall({
  method: "GET",
  path: "/api/staff/content/coins",
  summary: "Coins for the blocks of the home page: by words, or by their slugs in that order",
  permission: "content",
  audit: null,
  query: z.object({ words: z.string().max(100).default(""), slugs: z.string().max(4_000).default("") }),
  answer: z.object({ items: z.array(z.object({ slug: z.string(), title: z.string(), isOnSale: z.boolean(), available: z.int() })) }),
  problems: [],
});
