import { createHash } from "node:crypto";
import { placeholderOf, type PageHtml } from "#web/fragments/inserts.ts";

export type PageBody = { body: Buffer; scriptHashes: string[]; styleHashes: string[] };

/**
 * The page as it is sent: with its inserts in place of their placeholders, and without the nonce, so that it can be cached and shared.
 * Approves the inline scripts and styles that the page itself wrote: those with this render's nonce, which data in the page cannot know.
 * Returns their `'sha256-…'` hashes for the policy. Inserts are bytes of the page and are not searched.
 */
export function pageBody({ html, inserts }: PageHtml, nonce: string): PageBody {
  const page = Buffer.from(html);
  const mark = Buffer.from(nonce);
  const attribute = ` nonce="${nonce}"`;
  const placeholder = placeholderOf(nonce);
  const hashes = { script: new Set<string>(), style: new Set<string>() };

  /** Calls `each` with the pieces of the body from `from` to `to` of the page, in their order; `onNonce` with the place of each nonce. */
  function pieces(from: number, to: number, each: (piece: Uint8Array) => void, onNonce?: (at: number) => void): void {
    let copied = from;
    // From mark to mark: a pattern over the whole page takes a tenth of the time of its render.
    for (let at = page.indexOf(mark, from); at >= 0 && at < to; at = page.indexOf(mark, at + mark.length)) {
      const isAttribute = page[at - 1] === quote;
      if (!isAttribute && page[at - 1] !== bracket) continue;
      const begin = at - (isAttribute ? attribute.indexOf(nonce) : placeholder.before.indexOf(nonce));
      const end = isAttribute ? begin + attribute.length : page.indexOf(placeholder.after, at) + placeholder.after.length;
      each(page.subarray(copied, begin));
      copied = end;
      if (isAttribute) {
        onNonce?.(begin);
        continue;
      }
      const number = Number(page.toString("latin1", begin + placeholder.before.length, end - placeholder.after.length));
      const insert = inserts[number];
      if (!insert) throw new Error(`the page has no insert ${number}`);
      each(insert.bytes);
    }
    each(page.subarray(copied, to));
  }

  function approve(at: number): void {
    const begin = page.lastIndexOf("<", at);
    const open = page.indexOf(">", at);
    const before = page.toString("latin1", begin, at);
    const tag = /^<(script|style)\b/.exec(before)?.[1] as "script" | "style" | undefined;
    if (!tag || before.includes(">") || / src=/.test(page.toString("latin1", begin, open))) return;
    const hash = createHash("sha256");
    pieces(open + 1, page.indexOf(`</${tag}>`, open), (piece) => void hash.update(piece));
    hashes[tag].add(`'sha256-${hash.digest("base64")}'`);
  }

  const body: Uint8Array[] = [];
  pieces(0, page.length, (piece) => body.push(piece), approve);
  return { body: Buffer.concat(body), scriptHashes: [...hashes.script], styleHashes: [...hashes.style] };
}

/** The characters before a nonce in an attribute and in a placeholder. */
const [quote, bracket] = [0x22, 0x5b];
