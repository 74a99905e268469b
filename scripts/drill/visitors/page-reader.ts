import { request } from "undici";
import { pause } from "../stage/run.ts";

/** Pages that are served whatever happens to the database, once they were read. */
export const cachedPages = [
  "/",
  "/catalog",
  "/catalog/gold",
  "/products/georgij-pobedonosec-50-rublej-2026-mmd",
  "/quotes-online",
  "/delivery",
];

export type PageRead = { page: string; status: number };

/** Reads a page; `status` 0: no answer. */
export async function readPage(url: string, page: string): Promise<PageRead> {
  const status = await request(url + page, { headers: { accept: "text/html", "accept-encoding": "br" } }).then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    () => 0,
  );
  return { page, status };
}

/** A visitor who only reads, until `isOver`. */
export async function readPagesUntil(url: string, isOver: () => boolean): Promise<PageRead[]> {
  const seen: PageRead[] = [];
  for (let n = 0; !isOver(); n += 1) {
    seen.push(await readPage(url, cachedPages[n % cachedPages.length] ?? "/"));
    await pause(25);
  }
  return seen;
}
