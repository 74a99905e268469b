/**
 * Whether `If-None-Match` names this version: one tag or a list of them, compared weakly (a proxy that compresses marks them `W/`), or `*`
 * (RFC 9110, 13.1.2).
 */
export function hasCopy(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => bare(tag) === bare(etag));
}
