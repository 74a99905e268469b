/**
 * The request target of the request line (RFC 9112, 3.2). The shop accepts the origin form only: a path with one leading slash. The
 * absolute form (`http://evil.example/`), `*`, and what a browser would read as another host (`//evil`, `/\evil`) are refused.
 */
export const isPathTarget = (target: string): boolean => /^\/(?![/\\])/.test(target);

/** Unreserved characters (RFC 3986, 2.3): encoded or not, they mean the same. */
const isUnreserved = (character: string): boolean => /[A-Za-z0-9._~-]/.test(character);

/**
 * The normal form of an address (RFC 3986, 6.2.2): unreserved characters decoded, `%d0` as `%D0`, `.` and `..` resolved; the query is
 * unchanged. Null if the address is already normal or malformed. The result never names another host.
 */
export function normalAddress(rawUrl: string): string | null {
  const queryAt = rawUrl.indexOf("?");
  const path = queryAt < 0 ? rawUrl : rawUrl.slice(0, queryAt);
  if (!/%|\/\./.test(path) || /[^\x21-\x7E]/.test(path)) return null;
  const decoded = path.replaceAll(/%([0-9A-Fa-f]{2})/g, (triplet, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return isUnreserved(character) ? character : triplet.toUpperCase();
  });
  const normal = new URL(decoded.replace(/^\/+/, "/"), "http://any").pathname.replace(/^[/\\]+/, "/");
  return normal === path ? null : `${normal}${rawUrl.slice(path.length)}`;
}
