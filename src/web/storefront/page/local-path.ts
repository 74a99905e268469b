/**
 * Returns the path if it leads to a page of this shop, else "/". A form's return path comes from the browser and may be anything. It must
 * begin with one slash and no backslash, before and after the URL parser resolves dots, and stay on the shop's own origin.
 */
export function localPath(text: unknown): string {
  if (typeof text !== "string" || text.length > 500 || !/^\/(?![/\\])/.test(text)) return "/";
  const base = "http://own.invalid";
  try {
    const url = new URL(text, base);
    return url.origin === base && !url.pathname.startsWith("//") ? `${url.pathname}${url.search}` : "/";
  } catch {
    return "/";
  }
}
