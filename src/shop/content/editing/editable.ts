import type { PartData, PartKind } from "../site/parts.ts";
import type { TextData, TextKind } from "../text-data.ts";

/** What editors change: a text, or a part of the site (its id is always 1). */
export type EditableKind = TextKind | PartKind;
export type Subject = { kind: EditableKind; id: number };
export type EditableData = TextData | PartData;
/** The id of every part of the site: there is one row of each kind. */
export const partId = 1;

/** A text or a part as it is stored, for the editor. */
export type Editable = Subject & {
  /** What visitors see, or what they would see if it was published. */
  live: EditableData;
  /** What was saved after the publication; null: nothing. */
  draft: EditableData | null;
  isPublished: boolean;
  publishAt: Date | null;
  unpublishAt: Date | null;
  revision: number;
  updatedAt: Date;
  /** The slug of the published text; null for documents and parts. */
  slug: string | null;
  /** A sample that only a demonstration shows. */
  isDemo: boolean;
  /** The day of a document's edition. */
  editedOn: string | null;
};

/** What the editor works on: the draft, or what is live. */
export const dataOf = ({ draft, live }: Pick<Editable, "draft" | "live">): EditableData => draft ?? live;

/** `draft`: not visible · `scheduled`: it will be published · `published` · `changed`: published, with changes that are not. */
export type EditableState = "draft" | "scheduled" | "published" | "changed";

/** The state that lists and the editor show. */
export function stateOf({ isPublished, draft, publishAt }: Pick<Editable, "isPublished" | "draft" | "publishAt">): EditableState {
  if (publishAt) return "scheduled";
  if (!isPublished) return "draft";
  return draft ? "changed" : "published";
}

export type VersionEvent = "saved" | "scheduled" | "published" | "taken_down" | "restored";
/** One saved version; `actor` as `actorText` writes it. */
export type Version = { revision: number; event: VersionEvent; actor: string; at: Date };

/** What a save does with the data. `publishAt` is in the future. */
export type SaveAct = { kind: "draft" } | { kind: "publish" } | { kind: "schedule"; publishAt: Date };

export type EditingError =
  | { code: "staff.not_found" }
  | { code: "staff.stale"; current: Editable }
  | { code: "staff.act_refused" }
  | { code: "request.invalid"; fields: Record<string, string> };

export const invalid = (fields: Record<string, string>): EditingError => ({ code: "request.invalid", fields });
