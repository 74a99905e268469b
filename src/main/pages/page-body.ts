import { createHash, hash } from "node:crypto";
import { placeholderOf, type PageHtml } from "#web/fragments/inserts.ts";

/** `digest`: the same for the same page. */
export type PageBody = { body: Buffer; digest: string; scriptHashes: string[]; styleHashes: string[] };

/** SHA-256 in base64 of inserts. Most of them (style sheets, cached fragments) are parts of many pages, and nothing changes their bytes. */
const digests = new WeakMap<Uint8Array, string>();
function digestOf(bytes: Uint8Array): string {
  const known = digests.get(bytes);
  if (known !== undefined) return known;
  const digest = hash("sha256", bytes, "base64");
  digests.set(bytes, digest);
  return digest;
}

/** Calls with a piece of the page, and whether it is an insert as a whole. */
type EachPiece = (piece: Uint8Array, isInsert: boolean) => void;

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
  function pieces(from: number, to: number, each: EachPiece, onNonce?: (at: number) => void): void {
    let copied = from;
    // From mark to mark: a pattern over the whole page takes a tenth of the time of its render.
    for (let at = page.indexOf(mark, from); at >= 0 && at < to; at = page.indexOf(mark, at + mark.length)) {
      const isAttribute = page[at - 1] === quote;
      if (!isAttribute && page[at - 1] !== bracket) continue;
      const begin = at - (isAttribute ? attribute.indexOf(nonce) : placeholder.before.indexOf(nonce));
      const end = isAttribute ? begin + attribute.length : page.indexOf(placeholder.after, at) + placeholder.after.length;
      if (begin > copied) each(page.subarray(copied, begin), false);
      copied = end;
      if (isAttribute) {
        onNonce?.(begin);
        continue;
      }
      const number = Number(page.toString("latin1", begin + placeholder.before.length, end - placeholder.after.length));
      const insert = inserts[number];
      if (!insert) throw new Error(`the page has no insert ${number}`);
      each(insert.bytes, true);
    }
    if (to > copied) each(page.subarray(copied, to), false);
  }

  function approve(at: number): void {
    const begin = page.lastIndexOf("<", at);
    const open = page.indexOf(">", at);
    const before = page.toString("latin1", begin, at);
    const tag = /^<(script|style)\b/.exec(before)?.[1] as "script" | "style" | undefined;
    if (!tag || before.includes(">") || / src=/.test(page.toString("latin1", begin, open))) return;
    const content: Uint8Array[] = [];
    let isOneInsert = true;
    pieces(open + 1, page.indexOf(`</${tag}>`, open), (piece, isInsert) => {
      content.push(piece);
      isOneInsert &&= isInsert;
    });
    const [first = none] = content;
    hashes[tag].add(`'sha256-${isOneInsert && content.length === 1 ? digestOf(first) : digestOfAll(content)}'`);
  }

  const body: Uint8Array[] = [];
  const whole = createHash("sha256");
  pieces(
    0,
    page.length,
    (piece, isInsert) => {
      body.push(piece);
      whole.update(isInsert ? digestOf(piece) : piece);
    },
    approve,
  );
  const digest = whole.digest("base64url");
  return { body: Buffer.concat(body), digest, scriptHashes: [...hashes.script], styleHashes: [...hashes.style] };
}

function digestOfAll(pieces: readonly Uint8Array[]): string {
  const all = createHash("sha256");
  for (const piece of pieces) all.update(piece);
  return all.digest("base64");
}
const none = new Uint8Array();

/** The characters before a nonce in an attribute and in a placeholder. */
const [quote, bracket] = [0x22, 0x5b];
