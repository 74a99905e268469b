/** Films that staff upload. They are stored as they are, so a film has to be made for browsers before. Browser-safe. */

export const filmTypes = { mp4: "video/mp4", webm: "video/webm" } as const;
export type FilmType = keyof typeof filmTypes;

/** Bytes of an uploaded film. A silent film of five seconds takes a quarter of a megabyte. */
export const maxFilmBytes = 8 * 1024 * 1024;

export type FilmProblem = "media.empty" | "media.no_film";
export type StoredFilm = { id: string; type: FilmType; bytes: Buffer };

export const filmAddress = ({ id, type }: Pick<StoredFilm, "id" | "type">): string => `/media/films/${id}.${type}`;
/** Whether the text is the address of an uploaded film of the type. */
export const isFilmAddress = (text: string, type: FilmType): boolean =>
  new RegExp(`^/media/films/[A-Za-z0-9_-]{16,64}\\.${type}$`).test(text);
/** Ids of the uploaded films that a text refers to. */
export const filmsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\/media\/films\/([A-Za-z0-9_-]{16,64})\.(?:mp4|webm)/g)].flatMap(([, id]) => id ?? [])),
];

/** The type of a film by its bytes; null: neither MP4 nor WebM, or cut off. */
export function filmTypeOf(bytes: Buffer): FilmType | null {
  if (isMp4(bytes)) return "mp4";
  // EBML: the document type is within the first bytes.
  if (bytes.length > 64 && bytes.readUInt32BE(0) === 0x1a45dfa3 && bytes.subarray(0, 64).includes("webm")) return "webm";
  return null;
}

/** ISO 14496-12: boxes of a size and a type one after another; a film has an index (`moov`) and data (`mdat`). */
function isMp4(bytes: Buffer): boolean {
  const types: string[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (size < 8 || (types.length === 0 && type !== "ftyp")) return false;
    types.push(type);
    at += size;
  }
  return at === bytes.length && types.includes("moov") && types.includes("mdat");
}
