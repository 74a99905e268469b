/**
 * The path when it leads to a page of ours, else "/": what a form names as the way back comes from the browser and may be anything.
 * One slash first and no backslash, before and after the parser has resolved its dots, and always on our own origin.
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
