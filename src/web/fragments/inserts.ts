/** A part of a page that is not written by React but ready as bytes. */
export type Insert = { bytes: Uint8Array };

/** The HTML of a page with placeholders, and what takes their places. */
export type PageHtml = { html: string; inserts: readonly Insert[] };

/** A part of a text in a page's data. `literal`: as it is written into documents, once it was. */
export type TextPart = { text: string; literal?: Uint8Array };

/** The nonce of a render, and where the texts of its data are collected; see `PageContext`. */
export type PageTexts = { scriptNonce: string; texts?: (readonly TextPart[])[] };

/** What is before and after the number of an insert in its placeholder. */
export const placeholderOf = (nonce: string) => ({ before: `[[${nonce}:`, after: "]]" });

/**
 * The inserts of one page. React writes a placeholder for each, and `pageBody` (`main/pages/page-body.ts`) puts the bytes into its place: a
 * text of 200 KB that is joined from thousands of pieces takes nearly as long to encode as to render.
 *
 * A placeholder contains the nonce of the render, which data in the page cannot know, and no character that React escapes, so it may be in
 * a text, an attribute or a script.
 */
export function createInserts(nonce: string) {
  const inserts: Insert[] = [];
  const { before, after } = placeholderOf(nonce);
  return {
    inserts,
    /** Returns the placeholder of an insert, whose bytes may be set later. */
    add(insert: Insert): string {
      inserts.push(insert);
      return `${before}${inserts.length - 1}${after}`;
    },
    /** A text with the inserts in place of their placeholders. For small parts: a page is filled by `pageBody`. */
    fill(html: string): Uint8Array {
      // Not from the pool of small buffers: a part that is kept would keep its neighbours.
      return new Uint8Array(filled(nonce, html, (number) => [inserts[number]?.bytes ?? new Uint8Array()]));
    },
  };
}

/** A text in this encoding, with bytes in place of its placeholders. */
export function filled(
  nonce: string,
  text: string,
  bytesOf: (number: number) => Uint8Array[],
  encoding: "utf8" | "latin1" = "utf8",
): Buffer {
  const { before, after } = placeholderOf(nonce);
  const [first = "", ...rest] = text.split(before);
  const parts = rest.flatMap((part) => {
    const end = part.indexOf(after);
    return [...bytesOf(Number(part.slice(0, end))), Buffer.from(part.slice(end + after.length), encoding)];
  });
  return Buffer.concat([Buffer.from(first, encoding), ...parts]);
}
export type Inserts = ReturnType<typeof createInserts>;
